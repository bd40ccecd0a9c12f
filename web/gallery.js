import { COMMAND } from './protocol/protocol.js';
import { button } from './panels/widgets/button.js';
import { element, newId, setText } from './panels/widgets/element.js';
import { waitText } from './text/wait_text.js';

const MOMENT = 5; // s: what takes no longer is waited for, and a small version not asked for

function badgeText(baked, seconds, small) {
  if (baked) return 'baked';
  const wait = waitText(seconds);
  if (seconds >= 0 && seconds <= MOMENT) return 'bakes in a moment';
  if (small?.baked) return wait ? `small version at once, full in ${wait}` : 'small version at once';
  return wait ? `bakes in ${wait}` : 'not baked yet';
}

/** The scenes to choose from: over everything while none is open, else when asked for. */
export class Gallery {
  #host;
  #page;
  #cards = element('ul', { className: 'cards' });
  #close;
  #asked = false;
  #changed;
  #back = null; // what had the focus

  /** @param {HTMLElement} host @param {object} page @param {() => void} changed called when it opens or closes */
  constructor(host, page, changed) {
    this.#changed = changed;
    this.#host = host;
    host.tabIndex = -1; // arrows work as soon as it is open
    this.#page = page;
    this.#close = button('Close the gallery', 'close', () => this.toggle(false), { keys: 'Escape' });
    host.append(element('header', {}, element('h2', {}, 'Choose a scene'), this.#close), this.#cards);
    host.addEventListener('keydown', (event) => {
      if (event.key === 'Escape' && this.#asked) this.toggle(false);
      else this.#move(event);
    });
  }

  get open() {
    return !this.#host.hidden;
  }

  welcome({ scenes }) {
    this.#cards.replaceChildren(...scenes.map((scene) => this.#card(scene)));
    if (!scenes.length) {
      const text = 'This folder has no scenes. Start `tactus view` with a folder that has .yaml files.';
      this.#cards.append(element('li', { className: 'soft' }, text));
    }
  }

  /** What is baked, and how long the rest will take. */
  badges({ scenes }) {
    for (const { file, baked, seconds, small } of scenes) {
      const badge = this.#cards.querySelector(`[data-file="${CSS.escape(file)}"] .badge`);
      if (!badge) continue;
      badge.classList.toggle('baked', baked);
      setText(badge, badgeText(baked, seconds, small));
    }
  }

  state(state) {
    if (state.phase === 'loading') this.#asked = false;
    for (const card of this.#cards.querySelectorAll('button')) {
      const current = card.dataset.file === state.scene?.file;
      if (current) card.setAttribute('aria-current', 'true');
      else card.removeAttribute('aria-current');
      if (current && state.phase === 'running') {
        // as it is now: its file may have been mended since the list was made
        setText(card.querySelector('.name'), state.scene.name);
        setText(card.querySelector('.about'), state.scene.about);
      }
    }
    this.#show();
  }

  toggle(asked = !this.#asked) {
    this.#asked = asked;
    this.#show();
  }

  #show() {
    const forced = this.#page.state.phase === 'gallery';
    if (forced) this.#asked = false;
    const open = forced || this.#asked;
    this.#close.hidden = forced;
    if (open === this.open) return;
    this.#host.hidden = !open;
    this.#changed();
    if (open) {
      this.#back = document.activeElement;
      (this.#cards.querySelector('[aria-current]') ?? this.#host).focus({ preventScroll: true });
    } else if (this.#back?.isConnected) {
      this.#back.focus();
    }
  }

  #card(scene) {
    const id = newId();
    const stem = scene.file.replace(/^.*\//, '').replace(/\.[^.]*$/, '');
    const picture = scene.picture
      ? element('img', {
          src: this.#page.connection.path(`/pictures/${encodeURIComponent(stem)}.png`),
          alt: '',
          loading: 'lazy',
        })
      : element('img', { src: '/icon.svg', alt: '', className: 'none' });
    return element(
      'li',
      {},
      element(
        'button',
        {
          type: 'button',
          className: 'scene-card',
          'data-file': scene.file,
          'aria-labelledby': id,
          'aria-describedby': `${id}about`,
          onclick: () => this.#start(scene),
        },
        picture,
        element('span', { className: 'name', id }, scene.name),
        element('span', { className: 'badge' }),
        element(
          'span',
          { className: 'about', id: `${id}about` },
          scene.about,
          scene.error ? element('span', { className: 'error' }, scene.error) : null,
        ),
      ),
    );
  }

  #start(scene) {
    this.#page.connection.command(COMMAND.open, { text: scene.file });
    this.toggle(false);
  }

  /** Arrows go from card to card, by their places on the screen. */
  #move(event) {
    const step = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] }[event.key];
    if (!step) return;
    event.preventDefault();
    const from = event.target.closest('.scene-card')?.getBoundingClientRect();
    if (!from) {
      this.#cards.querySelector('.scene-card')?.focus();
      return;
    }
    let best = null;
    let least = Infinity;
    for (const card of this.#cards.querySelectorAll('.scene-card')) {
      const to = card.getBoundingClientRect();
      const [x, y] = [to.left - from.left, to.top - from.top];
      const along = x * step[0] + y * step[1];
      const across = Math.abs(x * step[1]) + Math.abs(y * step[0]);
      if (along > 1 && along + 3 * across < least) [best, least] = [card, along + 3 * across];
    }
    best?.focus();
  }
}
