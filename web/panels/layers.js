import { element, newId } from './element.js';
import { section } from './section.js';
import { Switch } from './switch.js';

const colours = [
  ['plain', 'plain'],
  ['displacement', 'by displacement'],
  ['stress', 'by stress'],
  ['pressure', 'by pressure'],
];
const statics = ['stress', 'pressure']; // not known of reduced bodies

/** What the view draws, and what its colours mean. */
export class LayersPanel {
  #view;
  #list = element('div', { className: 'stack tight' });
  #switches = new Map();

  constructor({ view }) {
    this.#view = view;
    const id = newId();
    const hold = new Switch('Hold the scale', (on) => (view.hold = on), 'It does not shrink when less is there');
    hold.element.hidden = true;
    const select = element('select', {
      id,
      onchange: () => {
        view.colour = select.value;
        hold.element.hidden = view.colour === 'plain';
      },
    });
    const options = colours.map(([value, label]) => element('option', { value }, label));
    select.append(...options);
    select.value = view.colour;
    view.addEventListener('load', () => {
      const reduced = view.world?.bodies.length > 0 && view.world.bodies.every((body) => body.coordinates > 0);
      for (const option of options) option.hidden = option.disabled = reduced && statics.includes(option.value);
      if (reduced && statics.includes(view.colour)) view.colour = 'displacement';
      select.value = view.colour;
    });
    this.element = section(
      'Show',
      element('div', { className: 'row' }, element('label', { htmlFor: id }, 'Colour'), select),
      hold.element,
      this.#list,
    );
    view.addEventListener('layers', () => this.#show());
    this.#show();
  }

  #show() {
    const { layers } = this.#view;
    if (layers.some((layer) => !this.#switches.has(layer.id))) {
      this.#switches = new Map(
        layers.map((layer) => [
          layer.id,
          new Switch(layer.label, (on) => this.#view.setLayer(layer.id, on), layer.hint),
        ]),
      );
      this.#list.replaceChildren(...[...this.#switches.values()].map((made) => made.element));
    }
    for (const layer of layers) {
      const made = this.#switches.get(layer.id);
      made.checked = layer.enabled && layer.available;
      made.reason = layer.available ? '' : layer.reason || 'not in this scene';
    }
  }
}
