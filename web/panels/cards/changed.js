import { COMMAND } from '../../protocol/protocol.js';
import { button } from '../widgets/button.js';
import { element } from '../widgets/element.js';

/** Over the view: the scene's files are others than when they were read. They are read again on a click, or always by themselves. */
export class Changed {
  #connection;
  #follows = false;

  constructor({ connection }) {
    this.#connection = connection;
    const send = (command, value) => connection.command(command, { value });
    this.element = element(
      'div',
      { className: 'ribbon', role: 'status', hidden: true },
      element('p', {}, 'The scene has changed on disk.'),
      element('button', { type: 'button', className: 'button', onclick: () => send(COMMAND.reload, 0) }, 'Read again'),
      element('button', { type: 'button', className: 'button', onclick: () => send(COMMAND.follow, 1) }, 'Always'),
    );
    this.button = button('Read the scene again when it changes on disk', 'follow', () =>
      send(COMMAND.follow, this.#follows ? 0 : 1),
    );
  }

  state(state) {
    this.#follows = state.follow ?? false;
    this.element.hidden = !state.changed || this.#follows || state.phase !== 'running';
    this.button.setAttribute('aria-pressed', String(this.#follows));
    this.button.classList.toggle('on', this.#follows);
    this.button.hidden = state.phase !== 'running';
  }
}
