import { COMMAND } from '../protocol/protocol.js';
import { button, relabel } from './widgets/button.js';
import { element } from './widgets/element.js';
import { icon } from './widgets/icon.js';
import { clock } from '../text/quantity.js';

const ending = '.tacrec';
const fetchable = /^[A-Za-z0-9][A-Za-z0-9 \-_.()]*\.tacrec$/; // as the program gives files out

/** The list of recordings, folded behind a button: they are replayed, named, saved and deleted. */
export class Recordings {
  #connection;
  #chosen;
  #button;
  #asked = null; // what is being asked about a file: {file, about: 'name' | 'end'}
  #shown = null;
  #list = element('ul', {});
  #box = element(
    'div',
    { className: 'menu', id: 'recordings', hidden: true },
    element('h2', {}, 'Recordings'),
    this.#list,
  );

  /** @param {import('../connection.js').Connection} connection @param {(file: string) => void} chosen */
  constructor(connection, chosen) {
    this.#connection = connection;
    this.#chosen = chosen;
    this.#button = button('Recordings', 'list', () => this.#open(this.#box.hidden), { wide: true });
    this.#button.setAttribute('aria-expanded', 'false');
    this.#button.setAttribute('aria-controls', 'recordings');
    this.element = element('div', { className: 'menu-holder' }, this.#button, this.#box);
    this.element.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape' || this.#box.hidden) return;
      event.stopPropagation();
      if (this.#asked) return this.#ask(null);
      this.#open(false);
      this.#button.focus();
    });
    document.addEventListener('pointerdown', (event) => !this.element.contains(event.target) && this.#open(false));
  }

  state(state) {
    relabel(this.#button, `Recordings${state.recordings.length ? ` (${state.recordings.length})` : ''}`);
    const key = JSON.stringify([state.recordings, state.replay?.file]);
    if (key === this.#list.dataset.key) return;
    this.#list.dataset.key = key;
    this.#shown = state;
    this.#asked = null;
    this.#fill();
  }

  #fill() {
    const { recordings, replay } = this.#shown;
    const items = [...recordings].reverse().map((recording) => this.#item(recording, replay?.file));
    this.#list.replaceChildren(...items);
    if (!items.length)
      this.#list.append(element('li', { className: 'soft' }, 'None yet. Record one with the red button.'));
  }

  #item({ file, seconds }, current) {
    if (this.#asked?.file === file) return this.#asked.about === 'name' ? this.#rename(file) : this.#end(file);
    const change = file === current ? [] : [
      button(`Rename ${file}`, 'sketch', () => this.#ask({ file, about: 'name' })),
      button(`Delete ${file}`, 'bin', () => this.#ask({ file, about: 'end' })),
    ];
    return element(
      'li',
      { className: 'item' },
      element(
        'button',
        {
          type: 'button',
          'aria-current': file === current ? 'true' : null,
          onclick: () => this.#replay(file),
        },
        element('span', {}, file),
        element('small', {}, clock(seconds)),
      ),
      ...(fetchable.test(file) ? [this.#save(file)] : []),
      ...change,
    );
  }

  #save(file) {
    const path = this.#connection.path(`/recordings/${encodeURIComponent(file)}`);
    const label = `Save ${file}`;
    return element('a', { className: 'button', href: path, download: file, title: label, 'aria-label': label }, icon('download'));
  }

  #rename(file) {
    const input = element('input', {
      type: 'text',
      value: file.endsWith(ending) ? file.slice(0, -ending.length) : file,
      maxLength: 90,
      pattern: '[A-Za-z0-9][A-Za-z0-9 \\-_.\\(\\)]*',
      title: 'Letters, digits, blanks and - _ . ( )',
      'aria-label': `Name of ${file}`,
      required: true,
    });
    const rename = (event) => {
      event.preventDefault();
      this.#connection.command(COMMAND.rename, { text: `${file}/${input.value.trim()}` });
      this.#ask(null);
    };
    return element(
      'li',
      {},
      element(
        'form',
        { className: 'item', onsubmit: rename },
        input,
        element('button', { type: 'submit', className: 'button text' }, 'Rename'),
      ),
    );
  }

  #end(file) {
    const end = () => {
      this.#connection.command(COMMAND.delete, { text: file });
      this.#ask(null);
    };
    return element(
      'li',
      { className: 'item' },
      element('span', {}, `Delete ${file}?`),
      element('button', { type: 'button', className: 'button text', onclick: end }, 'Delete'),
      element('button', { type: 'button', className: 'button text', onclick: () => this.#ask(null) }, 'Keep'),
    );
  }

  /** Asks about a file, or no more. */
  #ask(asked) {
    this.#asked = asked;
    this.#fill();
    const at = asked ? this.#list.querySelector('input, .text') : this.#list.querySelector('button');
    (at ?? this.#button).focus();
    if (at instanceof HTMLInputElement) at.select();
  }

  #replay(file) {
    this.#open(false);
    this.#button.focus();
    this.#chosen(file);
  }

  #open(open) {
    this.#box.hidden = !open;
    this.#button.setAttribute('aria-expanded', String(open));
    if (!open && this.#asked) {
      this.#asked = null;
      this.#fill();
    }
    if (open) this.#list.querySelector('button')?.focus();
  }
}
