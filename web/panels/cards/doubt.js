import { element } from '../widgets/element.js';
import { number } from '../../text/quantity.js';

const SOME = 0.1; // an expected error that is told, and
const MUCH = 0.3; // one with which the body should not be trusted
const pace = 250; // ms

/** Over the view: bodies that are farther from what they stand for than one should trust, and what to do. */
export class Doubt {
  #bodies = [];
  #worst = []; // of each body since it was last shown
  #shown = '';

  constructor() {
    this.element = element('div', { className: 'doubt', role: 'status', hidden: true });
    setInterval(() => this.#show(), pace);
  }

  state(state) {
    this.#bodies = state.scene?.bodies ?? [];
    if (!['running', 'replaying'].includes(state.phase)) this.#worst = [];
  }

  frame({ limits }) {
    limits?.doubts.forEach((doubt, body) => (this.#worst[body] = Math.max(this.#worst[body] ?? -1, doubt)));
  }

  #show() {
    const told = this.#bodies
      .map(({ name, doubted, remedy }, body) => ({ name, doubted, remedy, doubt: this.#worst[body] ?? -1 }))
      .filter(({ doubt }) => doubt >= SOME)
      .sort((a, b) => b.doubt - a.doubt);
    this.#worst = [];
    const shown = JSON.stringify(told.map(({ name, doubt }) => [name, number(100 * doubt, 2)]));
    if (shown === this.#shown) return;
    this.#shown = shown;
    this.element.hidden = told.length === 0;
    this.element.classList.toggle('much', told.some(({ doubt }) => doubt >= MUCH));
    this.element.replaceChildren(
      ...told.slice(0, 2).map(({ name, doubted, remedy, doubt }) =>
        element(
          'p',
          {},
          element('b', {}, `${name}: estimated model error ${number(100 * doubt, 2)} %`),
          doubted ? `: ${doubted}.` : '.',
          remedy ? ` To reduce it, ${remedy}.` : '',
        ),
      ),
    );
  }
}
