import { COMMAND } from '../../protocol/protocol.js';
import { element, setText } from '../widgets/element.js';

/**
 * Pages that share a scene: each begins with a tool of its own where the program has given it one, and who presses with a tool that
 * another page holds is told, and may take it over.
 */
export class Held {
  #page;
  #text = element('p', {});
  #tool = null; // that another page holds
  #load = null;

  constructor(page) {
    this.#page = page;
    this.element = element(
      'div',
      { className: 'ribbon warn', role: 'status', hidden: true },
      this.#text,
      element('button', { type: 'button', className: 'button', onclick: () => this.#take() }, 'Take it over'),
    );
    page.connection.addEventListener('held', ({ detail: { text, tool } }) => {
      this.#tool = tool;
      setText(this.#text, text);
      this.element.hidden = false;
    });
  }

  state(state) {
    const { hand, view } = this.#page;
    const load = state.phase === 'running' ? state.load : null;
    const own = (state.hands ?? []).findIndex(({ page }) => page === view.client);
    if (load !== null && load !== this.#load && own >= 0) hand.tool = own;
    if (load !== this.#load) this.#hide();
    this.#load = load;
  }

  /** It is over when the other one has let go, or this page leads. */
  frame({ tools }) {
    const tool = tools[this.#tool];
    if (this.#tool !== null && (!tool || tool.lifted || tool.client === this.#page.view.client)) this.#hide();
  }

  #hide() {
    this.#tool = null;
    this.element.hidden = true;
  }

  #take() {
    this.#page.connection.command(COMMAND.take, { index: this.#tool });
    this.#hide();
  }
}
