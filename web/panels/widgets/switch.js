import { element } from './element.js';

/** A switch with its label. */
export class Switch {
  #input;
  #hint;

  /** @param {string} label @param {(on: boolean) => void} changed @param {string} [hint] */
  constructor(label, changed, hint = '') {
    this.#hint = hint;
    this.#input = element('input', { type: 'checkbox', role: 'switch', onchange: () => changed(this.#input.checked) });
    this.element = element('label', { className: 'switch' }, this.#input, element('span', {}, label));
    this.reason = '';
  }

  set checked(on) {
    this.#input.checked = on;
  }

  /** Not empty: it cannot be switched, because of this. */
  set reason(text) {
    this.#input.disabled = text !== '';
    this.#input.setAttribute('aria-description', text || this.#hint);
    this.element.title = text || this.#hint;
  }
}
