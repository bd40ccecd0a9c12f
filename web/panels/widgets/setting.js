import { element, newId, setText } from './element.js';

const STEPS = 200;

/** One thing to choose about a layer: one of some options, or a number of a range. */
export class SettingControl {
  #setting;
  #input;
  #text = element('output', {});

  /** @param {import('../../view/layers.js').Setting} setting @param {() => void} changed */
  constructor(setting, changed) {
    this.#setting = setting;
    const id = newId();
    const label = element('label', { htmlFor: id }, setting.label);
    const take = (value) => {
      setting.set(value);
      changed();
    };
    if (setting.options) {
      this.#input = element(
        'select',
        { id, onchange: () => take(this.#input.value) },
        ...setting.options.map(([value, text]) => element('option', { value }, text)),
      );
      this.element = element('div', { className: 'row' }, label, this.#input);
      this.element.hidden = setting.options.length < 2; // nothing to choose
    } else {
      const oninput = () => take(this.#value);
      this.#input = element('input', { type: 'range', id, min: 0, max: STEPS, step: 1, oninput });
      this.element = element('div', {}, element('div', { className: 'row' }, label, this.#text), this.#input);
    }
    this.show();
  }

  get #value() {
    const [least, most] = this.#setting.range();
    return least + ((most - least) * this.#input.value) / STEPS;
  }

  show() {
    const value = this.#setting.get();
    if (this.#setting.options) {
      this.#input.value = String(value);
      return;
    }
    const [least, most] = this.#setting.range();
    const at = Math.round((STEPS * (value - least)) / (most - least));
    if (+this.#input.value !== at) this.#input.value = at;
    const text = this.#setting.text(value);
    setText(this.#text, text);
    this.#input.setAttribute('aria-valuetext', text);
  }
}
