import { button } from './widgets/button.js';
import { element, newId, setText } from './widgets/element.js';
import { section } from './widgets/section.js';
import { Switch } from './widgets/switch.js';

const SHARE = 0.15; // of the body's size, by which a shape swings at first
const MOST = 0.4;

/** How much of a shape's length the basis holds, as a person reads it. */
function percent(share) {
  return `${(100 * share).toFixed(share > 0.9995 ? 0 : 1)} %`;
}

/** What the bases of bodies are made of: modes, derivatives and other shapes, each to be seen as it swings. */
export class ShapesPanel {
  #view;
  #models = new Map(); // messages by number
  #names = [];
  #model = -1;
  #bodies = element('select', { onchange: () => this.#choose(+this.#bodies.value) });
  #bodyRow;
  #list = element('ul', { className: 'shapes' });
  #rows = [];
  #amplitude;
  #amplitudeText = element('output', {});
  #stop;
  #status = element('p', {});
  #loads = true; // whether surfaces are coloured by what loads add to a shape
  #withLoads = new Set(); // models of which that is known
  #loadsSwitch;

  constructor({ view }) {
    this.#view = view;
    const [body, amplitude] = [newId(), newId()];
    this.#bodies.id = body;
    this.#bodyRow = element('div', { className: 'row' }, element('label', { htmlFor: body }, 'Body'), this.#bodies);
    this.#amplitude = element('input', {
      type: 'range',
      id: amplitude,
      min: 0.01,
      max: MOST,
      step: 0.01,
      value: SHARE,
      oninput: () => {
        this.#showAmplitude();
        if (view.shape) this.#show(view.shape.index);
      },
    });
    this.#loadsSwitch = new Switch(
      'Colour by its loads (Y)',
      (on) => {
        this.#loads = on;
        if (view.shape) this.#show(view.shape.index);
      },
      'Largest displacement by this shape for a load at each place; dark where no load acts',
    );
    this.#loadsSwitch.checked = true;
    this.#loadsSwitch.element.hidden = true;
    this.#stop = button('Stop', 'stop', () => this.#leave(), { wide: true });
    this.element = section(
      'Shapes',
      element('p', { className: 'soft small' }, 'Shapes of the body, and how much of each shape its basis holds.'),
      this.#bodyRow,
      this.#list,
      element(
        'div',
        { className: 'group steps' },
        button('Previous shape', 'previous', () => this.#step(-1)),
        button('Next shape', 'next', () => this.#step(1)),
        this.#stop,
      ),
      element('div', { className: 'row' }, element('label', { htmlFor: amplitude }, 'Amplitude'), this.#amplitudeText),
      this.#amplitude,
      this.#loadsSwitch.element,
    );
    this.element.hidden = true;
    /** Over the view: that this is not the simulation. */
    this.ribbon = element(
      'div',
      { className: 'ribbon', role: 'status', hidden: true },
      this.#status,
      element(
        'button',
        { type: 'button', className: 'button text', onclick: () => this.#leave() },
        'Back to the simulation',
      ),
    );
    view.addEventListener('shape', () => this.#showStatus());
    view.addEventListener('load', () => this.#clear());
    this.#showAmplitude();
    this.#showStatus();
  }

  state(state) {
    this.#names = state.scene?.bodies.map((body) => body.name) ?? [];
    this.element.hidden = this.#models.size === 0 || !state.scene;
  }

  /** @param {import('../protocol/shapes.js').Model} message */
  model(message) {
    if (message.shapes.length === 0) return;
    this.#models.set(message.model, message);
    const others = message.bodies.length - 1;
    const name = `${this.#names[message.bodies[0]] ?? ''}${others > 0 ? ` and ${others} more` : ''}`;
    this.#bodies.append(element('option', { value: message.model }, name));
    this.#bodyRow.hidden = this.#models.size < 2;
    this.element.hidden = false;
    if (this.#models.size === 1) this.#choose(message.model);
  }

  /** @param {import('../protocol/shapes.js').LoadModes} message */
  loadModes(message) {
    this.#withLoads.add(message.model);
    this.#loadsSwitch.element.hidden = !this.#withLoads.has(this.#model);
  }

  #clear() {
    this.#withLoads.clear();
    this.#loadsSwitch.element.hidden = true;
    this.#models.clear();
    this.#bodies.replaceChildren();
    this.#list.replaceChildren();
    this.#rows = [];
    this.#model = -1;
    this.element.hidden = true;
    this.#showStatus();
  }

  #choose(model) {
    this.#leave();
    this.#model = model;
    this.#loadsSwitch.element.hidden = !this.#withLoads.has(model);
    this.#rows = this.#models.get(model).shapes.map(({ label, coordinates }, index) => {
      const held = Math.min(1, Math.hypot(...coordinates));
      return element(
        'button',
        { type: 'button', 'aria-pressed': 'false', onclick: () => this.#show(index) },
        element('span', {}, label),
        element('i', { style: `--held: ${100 * held}%` }),
        element('small', { title: 'of it is in the basis' }, percent(held)),
      );
    });
    this.#list.replaceChildren(...this.#rows.map((row) => element('li', {}, row)));
  }

  #show(index) {
    this.#view.shape = { model: this.#model, index, share: +this.#amplitude.value, loads: this.#loads };
  }

  #step(by) {
    const count = this.#rows.length;
    const now = this.#view.shape?.index ?? (by > 0 ? -1 : count);
    this.#show((now + by + count) % count);
    this.#rows[this.#view.shape.index].scrollIntoView({ block: 'nearest' });
  }

  #leave() {
    if (this.#view.shape) this.#view.shape = null;
  }

  #showStatus() {
    const { shape } = this.#view;
    this.#rows.forEach((row, index) => row.setAttribute('aria-pressed', String(index === shape?.index)));
    this.ribbon.hidden = !shape;
    this.#stop.disabled = !shape;
    if (!shape) return;
    const { shapes, bodies } = this.#models.get(shape.model);
    const loads = shape.loads ? `, coloured by Y ${shape.index + 1}` : '';
    setText(this.#status, `${shapes[shape.index].label} of ${this.#names[bodies[0]]}${loads}, not the simulation`);
  }

  #showAmplitude() {
    const text = `${Math.round(100 * this.#amplitude.value)} % of its size`;
    setText(this.#amplitudeText, text);
    this.#amplitude.setAttribute('aria-valuetext', text);
  }
}
