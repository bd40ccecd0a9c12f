import { bodyKeys } from '../body_hand.js';
import { keys } from '../pointer.js';
import { button } from './button.js';
import { element } from './element.js';

const fingers = [
  { keys: 'On a body', what: 'touch it; a second finger goes deeper, down and up' },
  { keys: 'Elsewhere', what: 'look around' },
  { keys: 'Two at once', what: 'shift, nearer, farther' },
  { keys: 'On a held body', what: 'move it; a second finger turns it' },
];

/** What one can do, and with which keys. */
export class Help {
  #dialog;

  /** @param {import('./shortcuts.js').Shortcut[]} shortcuts */
  constructor(shortcuts) {
    const id = 'help-title';
    this.#dialog = element('dialog', { className: 'help', 'aria-labelledby': id });
    this.#dialog.append(
      element(
        'header',
        {},
        element('h2', { id }, 'Help'),
        button('Close', 'close', () => this.#dialog.close()),
      ),
      element(
        'div',
        { className: 'columns' },
        element('div', {}, table('In the view', keys), table('Held bodies', bodyKeys)),
        element(
          'div',
          {},
          table(
            'Anywhere',
            shortcuts.map(({ key, label, what }) => ({ keys: label ?? key.toUpperCase(), what })),
          ),
          table('With fingers', fingers),
        ),
      ),
      element(
        'p',
        { className: 'soft' },
        'The world runs in the program, a thousand times a second; this page shows it and moves its tools. ',
        'Several pages may be open: a tool follows the page that touched last.',
      ),
    );
    this.#dialog.addEventListener('click', (event) => event.target === this.#dialog && this.#dialog.close());
    document.body.append(this.#dialog);
  }

  toggle() {
    if (this.#dialog.open) this.#dialog.close();
    else this.#dialog.showModal();
  }
}

function table(title, rows) {
  return element(
    'section',
    {},
    element('h3', {}, title),
    element(
      'dl',
      {},
      ...rows.map((row) =>
        element('div', {}, element('dt', {}, element('kbd', {}, row.keys)), element('dd', {}, row.what)),
      ),
    ),
  );
}
