import { element, newId } from './element.js';

/** How people say where a scale ends, by what colours mean: the unit, and what one of it is in SI units. */
const units = { displacement: ['mm', 1e-3], stress: ['kPa', 1e3], stretch: ['', 1], pressure: ['kPa', 1e3] };

/** Where the scale of the surfaces' colours ends: as far as what is there, or where a person says. */
export class ScaleEnd {
  #view;
  #input;
  #unit = element('span', { className: 'unit' });

  /** @param {import('../../view/view.js').View} view */
  constructor(view) {
    this.#view = view;
    const id = newId();
    this.#input = element('input', {
      id,
      className: 'number',
      type: 'number',
      min: 0,
      step: 'any',
      placeholder: 'automatic',
      title: 'Empty: up to the largest value',
      onchange: () => this.#take(),
    });
    const field = element('span', { className: 'amount' }, this.#input, this.#unit);
    this.element = element('div', { className: 'row' }, element('label', { htmlFor: id }, 'Scale up to'), field);
  }

  #take() {
    const [, factor] = units[this.#view.colour];
    this.#view.fixed = this.#input.value === '' ? null : factor * +this.#input.value;
    this.show(); // what makes no sense is not taken
  }

  show() {
    const { colour, fixed } = this.#view;
    this.element.hidden = !Object.hasOwn(units, colour);
    if (this.element.hidden) return;
    const [unit, factor] = units[colour];
    this.#unit.textContent = unit;
    this.#unit.hidden = unit === '';
    this.#input.value = fixed === null ? '' : String(+(fixed / factor).toPrecision(6));
  }
}
