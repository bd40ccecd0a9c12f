import { element, newId } from './widgets/element.js';
import { ScaleEnd } from './widgets/scale_end.js';
import { section } from './widgets/section.js';
import { SettingControl } from './widgets/setting.js';
import { Switch } from './widgets/switch.js';

const colours = [
  ['plain', 'plain'],
  ['displacement', 'by displacement'],
  ['stress', 'by stress'],
  ['stretch', 'by stretch'],
  ['pressure', 'by pressure'],
];
const kept = 'tactus.colour'; // what a person chose; without it bodies that deform show by how much
/** Whether colours mean something for some body of a scene. */
const meaningful = (colour, bodies) => colour === 'plain' || bodies.some(({ colours: known }) => known.includes(colour));

/** What the view draws, and what its colours mean. */
export class LayersPanel {
  #view;
  #list = element('div', { className: 'stack tight' });
  #switches = new Map();

  /** @param {object} page @param {boolean} remembers what a person chose; the program's pictures have what it asks for */
  constructor({ view }, remembers) {
    this.#view = view;
    const id = newId();
    const hold = new Switch('Hold the scale', (on) => (view.hold = on), 'The scale does not shrink when values get smaller');
    const end = new ScaleEnd(view);
    const show = () => {
      hold.element.hidden = view.colour === 'plain';
      end.show();
    };
    const select = element('select', {
      id,
      onchange: () => {
        view.colour = select.value;
        localStorage.setItem(kept, select.value);
        show();
      },
    });
    const options = colours.map(([value, label]) => element('option', { value }, label));
    select.append(...options);
    select.value = view.colour;
    view.addEventListener('load', () => {
      if (!view.world) return;
      const known = (colour) => meaningful(colour, view.world.bodies);
      for (const option of options) option.hidden = option.disabled = !known(option.value);
      const wanted = remembers ? [localStorage.getItem(kept)] : [view.colour];
      view.colour = [...wanted, 'displacement', 'plain'].find((colour) => colour !== null && known(colour));
      select.value = view.colour;
      show();
    });
    view.addEventListener('load', () => this.#renew());
    this.element = section(
      'Show',
      element('div', { className: 'row' }, element('label', { htmlFor: id }, 'Colour'), select),
      end.element,
      hold.element,
      this.#list,
    );
    show();
    view.addEventListener('layers', () => this.#show());
    this.#show();
  }

  /** Another scene has other settings. */
  #renew() {
    for (const { id, settings } of this.#view.layers) {
      const { box } = this.#switches.get(id);
      const show = () => controls.forEach((control) => control.show()); // one choice may change others
      const controls = settings.map((setting) => new SettingControl(setting, show));
      box.replaceChildren(...controls.map((control) => control.element));
    }
    this.#show();
  }

  #show() {
    const { layers } = this.#view;
    if (this.#switches.size === 0) {
      for (const { id, label, hint } of layers) {
        const made = new Switch(label, (on) => this.#view.setLayer(id, on), hint);
        const box = element('div', { className: 'settings', role: 'group', 'aria-label': label, hidden: true });
        this.#switches.set(id, { made, box });
        this.#list.append(made.element, box);
      }
    }
    for (const layer of layers) {
      const { made, box } = this.#switches.get(layer.id);
      made.checked = layer.enabled && layer.available;
      made.reason = layer.available ? '' : layer.reason || 'not in this scene';
      box.hidden = !(layer.enabled && layer.available && box.children.length > 0);
    }
  }
}
