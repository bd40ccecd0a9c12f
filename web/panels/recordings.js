import { button, relabel } from './button.js';
import { element } from './element.js';
import { clock } from './quantity.js';

/** The list of recordings that can be replayed, folded behind a button. */
export class Recordings {
  #chosen;
  #button;
  #list = element('ul', {});
  #box = element(
    'div',
    { className: 'menu', id: 'recordings', hidden: true },
    element('h2', {}, 'Recordings'),
    this.#list,
  );

  /** @param {(file: string) => void} chosen */
  constructor(chosen) {
    this.#chosen = chosen;
    this.#button = button('Recordings', 'list', () => this.#open(this.#box.hidden), { wide: true });
    this.#button.setAttribute('aria-expanded', 'false');
    this.#button.setAttribute('aria-controls', 'recordings');
    this.element = element('div', { className: 'menu-holder' }, this.#button, this.#box);
    this.element.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape' || this.#box.hidden) return;
      event.stopPropagation();
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
    const items = [...state.recordings]
      .reverse()
      .map(({ file, seconds }) =>
        element(
          'li',
          {},
          element(
            'button',
            {
              type: 'button',
              'aria-current': file === state.replay?.file ? 'true' : null,
              onclick: () => this.#replay(file),
            },
            element('span', {}, file),
            element('small', {}, clock(seconds)),
          ),
        ),
      );
    this.#list.replaceChildren(...items);
    if (!items.length)
      this.#list.append(element('li', { className: 'soft' }, 'None yet. Record one with the red button.'));
  }

  #replay(file) {
    this.#open(false);
    this.#button.focus();
    this.#chosen(file);
  }

  #open(open) {
    this.#box.hidden = !open;
    this.#button.setAttribute('aria-expanded', String(open));
    if (open) this.#list.querySelector('button')?.focus();
  }
}
