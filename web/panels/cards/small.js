import { COMMAND } from '../../protocol/protocol.js';
import { button } from '../widgets/button.js';
import { element, setText } from '../widgets/element.js';
import { leftText } from '../../text/wait_text.js';

/** Over the view: that this is a scene's small version, how far the full one is, and the way to it. */
export class Small {
  #text = element('p', {});
  #bar = element('progress', { max: 1, 'aria-label': 'Bake of the full version' });
  #show;

  constructor(page) {
    this.#show = button('Show the full version', 'reset', () => page.connection.command(COMMAND.reload), {
      wide: true,
      className: 'primary',
    });
    this.element = element('div', { className: 'small-version', role: 'status', hidden: true });
    this.element.append(this.#text, this.#bar, this.#show);
  }

  state({ phase, small }) {
    this.element.hidden = !small || phase !== 'running';
    if (!small) return;
    const { fraction, remaining, ready, fault } = small;
    const left = leftText(remaining);
    if (ready) setText(this.#text, 'Small version: the full one is ready.');
    else if (fault) setText(this.#text, `Small version: the full one cannot be baked: ${fault}`);
    else setText(this.#text, `Small version: the full one is being baked${left ? `, ${left}` : ''}.`);
    this.#bar.hidden = ready || Boolean(fault);
    if (fraction < 0) this.#bar.removeAttribute('value');
    else this.#bar.value = fraction;
    this.#show.hidden = !ready;
  }
}
