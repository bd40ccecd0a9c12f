import { bodyKeys } from '../../hand/body_hand.js';
import { keys } from '../../hand/pointer.js';
import { button } from '../widgets/button.js';
import { element } from '../widgets/element.js';
import { byFingers, mayHaveMouse } from '../widgets/fingers.js';

const fingers = [
  { keys: 'On a body', what: 'touch it; a second finger goes deeper, down and up' },
  { keys: 'Elsewhere', what: 'look around' },
  { keys: 'Two at once', what: 'shift, nearer, farther' },
  { keys: 'On a held body', what: 'move it; a second finger turns it' },
  { keys: 'Two taps on a body', what: 'select it' },
];

const world = [
  { keys: 'Double click, Alt + click', what: 'select the body there' },
  { keys: 'H', what: 'in the tree: hide or show the body' },
  { keys: 'O', what: 'in the tree: show only this body, or all bodies' },
  { keys: 'X', what: 'in the tree: make the body transparent' },
];
const plots = [
  { keys: 'Drag', what: 'select a time range' },
  { keys: 'Wheel, + −', what: 'zoom in or out' },
  { keys: 'Double click, Home', what: 'back to the last seconds' },
  { keys: '← →', what: 'move the cursor' },
];

/** What one can do, and with which keys. */
export class Help {
  #dialog;
  #columns = element('div', { className: 'columns' });
  #shortcuts;

  /** @param {import('../shortcuts.js').Shortcut[]} shortcuts */
  constructor(shortcuts) {
    const id = 'help-title';
    this.#shortcuts = shortcuts;
    this.#dialog = element('dialog', { className: 'help', 'aria-labelledby': id });
    this.#dialog.append(
      element(
        'header',
        {},
        element('h2', { id }, 'Help'),
        button('Close', 'close', () => this.#dialog.close()),
      ),
      this.#columns,
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
    else {
      this.#fill();
      this.#dialog.showModal();
    }
  }

  /** What can be done with what there is: fingers first where one points with them, no mouse where there is none. */
  #fill() {
    const mouse = mayHaveMouse();
    const usable = (rows) => (mouse ? rows : rows.filter((row) => !/drag|wheel|click/i.test(row.keys)));
    const anywhere = this.#shortcuts.map(({ key, label, what }) => ({ keys: label ?? key.toUpperCase(), what }));
    const view = [table('In the view', usable(keys)), table('Held bodies', usable(bodyKeys))];
    const others = [table('Anywhere', anywhere), table('World', usable(world)), table('Plots', usable(plots))];
    if (byFingers()) view.unshift(table('With fingers', fingers));
    else others.push(table('With fingers', fingers));
    this.#columns.replaceChildren(element('div', {}, ...view), element('div', {}, ...others));
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
