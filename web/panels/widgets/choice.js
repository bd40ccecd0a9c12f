import { element, newId } from './element.js';
import { icon } from './icon.js';

/** One of a few, side by side: a radio group. */
export class Choice {
  #inputs = new Map();

  /**
   * @param {string} label of the group, read out and not shown
   * @param {{id: string, label: string, icon?: string, hint?: string}[]} options
   * @param {(id: string) => void} chosen
   */
  constructor(label, options, chosen) {
    const name = newId();
    this.element = element('div', { className: 'choice', role: 'radiogroup', 'aria-label': label });
    for (const option of options) {
      const input = element('input', { type: 'radio', name, onchange: () => chosen(option.id) });
      this.#inputs.set(option.id, input);
      this.element.append(
        element('label', { title: option.hint ?? '' }, input, option.icon ? icon(option.icon) : null, option.label),
      );
    }
  }

  set value(id) {
    for (const [key, input] of this.#inputs) input.checked = key === id;
  }

  set disabled(yes) {
    for (const input of this.#inputs.values()) input.disabled = yes;
  }
}
