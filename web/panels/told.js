import { element, say } from './element.js';
import { number } from './quantity.js';
import { section } from './section.js';

const pace = 250; // ms

/** A number as a person reads it: steps with the time that they take, shares in percent. */
function read(value, { unit, label }, step) {
  if (unit === 'steps') return `${Math.round(value)} step${value === 1 ? '' : 's'}, ${number(1000 * value * step, 2)} ms`;
  if (label.startsWith('error')) return value < 1e-4 ? '< 0.01 %' : `${number(100 * value, 2)} %`;
  return Number.isInteger(value) ? value.toLocaleString('en') : number(value);
}

/** What bodies tell of themselves beside their shape: how old the factor is that contacts are computed with, ... */
export class ToldPanel {
  #list = element('div', { className: 'stack' });
  #bodies = []; // {body, step, told, cells}
  #values = new Map();
  #built = '';

  constructor() {
    this.element = section('Inside the bodies', this.#list);
    this.element.hidden = true;
    setInterval(() => this.#show(), pace);
  }

  state(state) {
    const bodies = state.scene?.bodies ?? [];
    const built = JSON.stringify([state.load, bodies.map(({ name, told, step }) => [name, told, step])]);
    if (built === this.#built) return;
    this.#built = built;
    this.#values.clear();
    this.#bodies = bodies
      .map(({ name, told, step }, body) => ({ name, told, step, body, cells: told.map(() => element('dd', {}, '–')) }))
      .filter(({ told }) => told.length > 0);
    this.#list.replaceChildren(
      ...this.#bodies.map(({ name, told, cells }) =>
        element(
          'div',
          { className: 'told' },
          element('h3', {}, name),
          element(
            'dl',
            { className: 'numbers', 'aria-label': name },
            ...told.flatMap(({ label }, k) => [element('dt', {}, label[0].toUpperCase() + label.slice(1)), cells[k]]),
          ),
        ),
      ),
    );
    this.element.hidden = this.#bodies.length === 0;
  }

  frame(frame) {
    for (const { body, values } of frame.told) this.#values.set(body, values);
  }

  #show() {
    for (const { body, step, told, cells } of this.#bodies) {
      const values = this.#values.get(body);
      if (!values) continue;
      told.forEach((each, k) => {
        say(cells[k], read(values[k], each, step));
        cells[k].className = each.label.startsWith('inverted') && values[k] > 0 ? 'warn' : '';
      });
    }
  }
}
