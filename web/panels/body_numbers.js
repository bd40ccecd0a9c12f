import { element, setText } from './widgets/element.js';
import { loadText } from '../text/load_text.js';
import { number } from '../text/quantity.js';
import { section } from './widgets/section.js';

const pace = 250; // ms

/** Text of a number: steps with their duration, shares in percent. */
export function numberText(value, { unit, label }, step) {
  if (unit === 'steps') return `${Math.round(value)} step${value === 1 ? '' : 's'}, ${number(1000 * value * step, 2)} ms`;
  if (label.startsWith('error')) return value < 1e-4 ? '< 0.01 %' : `${number(100 * value, 2)} %`;
  return Number.isInteger(value) ? value.toLocaleString('en') : number(value);
}

/** Numbers that bodies report besides their shape, such as the age of the factor that contacts use. */
export class BodyNumbers {
  #list = element('div', { className: 'stack' });
  #bodies = []; // {body, step, numbers, cells, loads, load}
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
    const built = JSON.stringify([state.load, bodies.map(({ name, numbers, step, loads }) => [name, numbers, step, loads])]);
    if (built === this.#built) return;
    this.#built = built;
    this.#values.clear();
    this.#loads.clear();
    const cell = () => element('dd', {}, '–');
    this.#bodies = bodies
      .map(({ name, numbers, step, loads }, body) => ({ name, numbers, step, loads, body, cells: numbers.map(cell), load: cell() }))
      .filter(({ numbers, loads }) => numbers.length > 0 || loads);
    this.#list.replaceChildren(
      ...this.#bodies.map(({ name, numbers, cells, loads, load }) =>
        element(
          'div',
          { className: 'body-numbers' },
          element('h3', {}, name),
          element(
            'dl',
            { className: 'numbers', 'aria-label': name },
            ...(loads ? [element('dt', {}, 'Load'), load] : []),
            ...numbers.flatMap(({ label }, k) => [element('dt', {}, label[0].toUpperCase() + label.slice(1)), cells[k]]),
          ),
        ),
      ),
    );
    this.element.hidden = this.#bodies.length === 0;
  }

  frame(frame) {
    for (const { body, values } of frame.bodyNumbers) this.#values.set(body, values);
    for (const load of frame.loads) this.#loads.set(load.body, load);
  }

  #show() {
    for (const { body, step, numbers, cells, loads, load } of this.#bodies) {
      const pressed = this.#loads.get(body);
      if (pressed && loads) {
        const text = loadText(Math.hypot(...pressed.force), loads.most);
        setText(load, pressed.beyond ? `${text}: above the largest baked load` : text);
        load.className = pressed.beyond ? 'warn' : '';
      }
      const values = this.#values.get(body);
      if (!values) continue;
      numbers.forEach((each, k) => {
        setText(cells[k], numberText(values[k], each, step));
        cells[k].className = each.label.startsWith('inverted') && values[k] > 0 ? 'warn' : '';
      });
    }
  }
}
