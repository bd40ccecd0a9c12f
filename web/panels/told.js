import { element, say } from './widgets/element.js';
import { loadText } from '../text/load_text.js';
import { number } from '../text/quantity.js';
import { section } from './widgets/section.js';

const pace = 250; // ms

/** A number as a person reads it: steps with the time that they take, shares in percent. */
export function tellNumber(value, { unit, label }, step) {
  if (unit === 'steps') return `${Math.round(value)} step${value === 1 ? '' : 's'}, ${number(1000 * value * step, 2)} ms`;
  if (label.startsWith('error')) return value < 1e-4 ? '< 0.01 %' : `${number(100 * value, 2)} %`;
  return Number.isInteger(value) ? value.toLocaleString('en') : number(value);
}

/** What bodies tell of themselves beside their shape: how old the factor is that contacts are computed with, ... */
export class ToldPanel {
  #list = element('div', { className: 'stack' });
  #bodies = []; // {body, step, told, cells, loads, load}
  #values = new Map();
  #loads = new Map();
  #built = '';

  constructor() {
    this.element = section('Inside the bodies', this.#list);
    this.element.hidden = true;
    setInterval(() => this.#show(), pace);
  }

  state(state) {
    const bodies = state.scene?.bodies ?? [];
    const built = JSON.stringify([state.load, bodies.map(({ name, told, step, loads }) => [name, told, step, loads])]);
    if (built === this.#built) return;
    this.#built = built;
    this.#values.clear();
    this.#loads.clear();
    const cell = () => element('dd', {}, '–');
    this.#bodies = bodies
      .map(({ name, told, step, loads }, body) => ({ name, told, step, loads, body, cells: told.map(cell), load: cell() }))
      .filter(({ told, loads }) => told.length > 0 || loads);
    this.#list.replaceChildren(
      ...this.#bodies.map(({ name, told, cells, loads, load }) =>
        element(
          'div',
          { className: 'told' },
          element('h3', {}, name),
          element(
            'dl',
            { className: 'numbers', 'aria-label': name },
            ...(loads ? [element('dt', {}, 'Load'), load] : []),
            ...told.flatMap(({ label }, k) => [element('dt', {}, label[0].toUpperCase() + label.slice(1)), cells[k]]),
          ),
        ),
      ),
    );
    this.element.hidden = this.#bodies.length === 0;
  }

  frame(frame) {
    for (const { body, values } of frame.told) this.#values.set(body, values);
    for (const load of frame.loads) this.#loads.set(load.body, load);
  }

  #show() {
    for (const { body, step, told, cells, loads, load } of this.#bodies) {
      const pressed = this.#loads.get(body);
      if (pressed && loads) {
        const text = loadText(Math.hypot(...pressed.force), loads.most);
        say(load, pressed.beyond ? `${text}: above the largest baked load` : text);
        load.className = pressed.beyond ? 'warn' : '';
      }
      const values = this.#values.get(body);
      if (!values) continue;
      told.forEach((each, k) => {
        say(cells[k], tellNumber(values[k], each, step));
        cells[k].className = each.label.startsWith('inverted') && values[k] > 0 ? 'warn' : '';
      });
    }
  }
}
