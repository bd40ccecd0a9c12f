import { button } from './button.js';
import { element, newId } from './element.js';
import { Grip } from './grip.js';
import { handy } from '../../text/quantity.js';
import { throttle } from './throttle.js';

/**
 * One number of the scene that may be changed while it runs: a slider, logarithmic where the range spans a decade or
 * more, and the number itself.
 */
export class Parameter {
  #definition;
  #start;
  #shown; // {unit, factor}: what a person reads and types
  #range;
  #number;
  #undo;
  #grip;
  #send;

  /**
   * @param {{label: string, unit: string, least: number, most: number, start: number, value: number, rebuilds: boolean}} definition
   * @param {(value: number) => void} send
   */
  constructor(definition, send) {
    const id = newId();
    const note = definition.rebuilds ? newId() : null;
    this.#definition = definition;
    this.#start = definition.start; // the value to which the button goes back
    this.#shown = handy(definition.unit, definition.most);
    this.#send = throttle(send);
    this.#range = element('input', {
      type: 'range',
      id,
      min: 0,
      max: 1,
      step: 0.005,
      'aria-describedby': note,
      oninput: () => this.#take(this.#valueAt(+this.#range.value), definition.rebuilds),
      onchange: () => this.#take(this.#valueAt(+this.#range.value)),
    });
    this.#number = element('input', {
      type: 'number',
      className: 'number',
      step: 'any',
      'aria-label': `${definition.label}, typed${this.#shown.unit && ` in ${this.#shown.unit}`}`,
      onchange: () => {
        const typed = parseFloat(this.#number.value) / this.#shown.factor;
        this.#take(Number.isFinite(typed) ? typed : this.#definition.value);
      },
    });
    this.#undo = button(`Back to the ${definition.label} at the start`, 'undo', () => this.#take(this.#start), {
      className: 'small',
    });
    this.element = element(
      'div',
      { className: 'parameter' },
      element('label', { htmlFor: id }, definition.label),
      element('span', { className: 'value' }, this.#number, element('span', { className: 'unit' }, this.#shown.unit)),
      this.#undo,
      this.#range,
      note ? element('p', { className: 'soft', id: note }, 'the simulation pauses briefly') : null,
    );
    this.#grip = new Grip(this.#range, () => this.#show());
    this.#show();
  }

  /** What the program, or another page, has set. */
  set value(value) {
    this.#definition = { ...this.#definition, value };
    if (!this.#grip.held) this.#show();
  }

  get #logarithmic() {
    return this.#definition.least > 0 && this.#definition.most / this.#definition.least >= 10;
  }

  #valueAt(share) {
    const { least, most } = this.#definition;
    const value = this.#logarithmic ? least * (most / least) ** share : least + (most - least) * share;
    return Math.min(most, Math.max(least, +value.toPrecision(3))); // round values, but never beyond the ends
  }

  #shareOf(value) {
    const { least, most } = this.#definition;
    return this.#logarithmic ? Math.log(value / least) / Math.log(most / least) : (value - least) / (most - least);
  }

  #take(value, later = false) {
    const { least, most } = this.#definition;
    this.#definition = { ...this.#definition, value: Math.min(most, Math.max(least, value)) };
    this.#show();
    if (!later) this.#send(this.#definition.value);
  }

  #show() {
    const { value } = this.#definition;
    const text = String(+(value * this.#shown.factor).toPrecision(4));
    this.#number.value = text;
    if (Math.abs(this.#valueAt(+this.#range.value) - value) > 1e-9 * Math.abs(value))
      this.#range.value = this.#shareOf(value);
    this.#range.setAttribute('aria-valuetext', `${text} ${this.#shown.unit}`.trim());
    this.#undo.disabled = Math.abs(value - this.#start) <= 1e-6 * Math.abs(this.#start);
  }
}
