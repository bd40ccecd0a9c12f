import { COMMAND } from '../../protocol/protocol.js';
import { element } from '../widgets/element.js';

/** Over the view: why the servo loop has stopped, and how to go on. */
export class Fault {
  #connection;
  #shown = '';

  constructor({ connection }) {
    this.#connection = connection;
    this.element = element('div', { className: 'fault', role: 'alert', hidden: true });
  }

  state(state) {
    const fault = state.servo?.fault ?? '';
    if (fault === this.#shown) return;
    this.#shown = fault;
    this.element.hidden = fault === '';
    this.element.replaceChildren(
      element('p', {}, element('b', {}, 'The forces were switched off: '), fault, '. Reset to continue.'),
      element(
        'button',
        { type: 'button', className: 'button text', onclick: () => this.#connection.command(COMMAND.reset) },
        'Reset',
      ),
    );
  }
}
