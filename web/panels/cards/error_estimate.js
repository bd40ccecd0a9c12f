import { element } from '../widgets/element.js';
import { number } from '../../text/quantity.js';

const SOME = 0.1; // estimated model error from which a body is reported, and
const MUCH = 0.3; // from which the report is marked as large
const pace = 250; // ms

/** Over the view: bodies with a large estimated model error, its cause and its remedy. */
export class ErrorEstimate {
  #bodies = [];
  #worst = []; // of each body since it was last shown
  #shown = '';

  constructor() {
    this.element = element('div', { className: 'error-estimate', role: 'status', hidden: true });
    setInterval(() => this.#show(), pace);
  }

  state(state) {
    this.#bodies = state.scene?.bodies ?? [];
    if (!['running', 'replaying'].includes(state.phase)) this.#worst = [];
  }

  frame({ limits }) {
    limits?.errorEstimates.forEach((estimate, body) => (this.#worst[body] = Math.max(this.#worst[body] ?? -1, estimate)));
  }

  #show() {
    const reported = this.#bodies
      .map(({ name, error_cause: cause, remedy }, body) => ({ name, cause, remedy, estimate: this.#worst[body] ?? -1 }))
      .filter(({ estimate }) => estimate >= SOME)
      .sort((a, b) => b.estimate - a.estimate);
    this.#worst = [];
    const shown = JSON.stringify(reported.map(({ name, estimate }) => [name, number(100 * estimate, 2)]));
    if (shown === this.#shown) return;
    this.#shown = shown;
    this.element.hidden = reported.length === 0;
    this.element.classList.toggle('much', reported.some(({ estimate }) => estimate >= MUCH));
    this.element.replaceChildren(
      ...reported.slice(0, 2).map(({ name, cause, remedy, estimate }) =>
        element(
          'p',
          {},
          element('b', {}, `${name}: estimated model error ${number(100 * estimate, 2)} %`),
          cause ? `: ${cause}.` : '.',
          remedy ? ` To reduce it, ${remedy}.` : '',
        ),
      ),
    );
  }
}
