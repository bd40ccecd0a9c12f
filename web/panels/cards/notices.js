import { button } from '../widgets/button.js';
import { element } from '../widgets/element.js';

const duration = { info: 6000, error: 15000 }; // ms
const most = 4;

/** Short messages for the person, which go by themselves. */
export class Notices {
  #lists;

  constructor(host) {
    this.#lists = {
      info: element('div', { role: 'status', 'aria-live': 'polite' }),
      error: element('div', { role: 'alert', 'aria-live': 'assertive' }),
    };
    host.append(this.#lists.error, this.#lists.info);
  }

  /** @param {{kind: 'info'|'error', text: string}} notice */
  show({ kind, text }) {
    const list = this.#lists[kind] ?? this.#lists.info;
    const toast = element('div', { className: `toast ${kind}` }, element('p', {}, text));
    const timer = setTimeout(() => toast.remove(), duration[kind] ?? duration.info);
    toast.append(
      button(
        'Close',
        'close',
        () => {
          clearTimeout(timer);
          toast.remove();
        },
        { className: 'small' },
      ),
    );
    list.append(toast);
    while (list.children.length > most) list.firstChild.remove();
  }
}
