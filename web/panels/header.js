import { element, setText } from './widgets/element.js';

/** The line at the top: what is open, and how it is. */
export class Header {
  #name = element('h1', {});
  #about = element('p', { className: 'about' });
  #word = element('span', {});
  #status = element('p', { className: 'status', role: 'status' }, this.#word);
  #page;

  /** @param {HTMLElement} host @param {object} page @param {HTMLElement[]} buttons */
  constructor(host, page, buttons) {
    this.#page = page;
    host.append(
      element(
        'div',
        { className: 'brand' },
        element('img', { src: '/icon.svg', alt: '', width: 28, height: 28 }),
        element('span', {}, 'Tactus'),
      ),
      element('div', { className: 'scene' }, this.#name, this.#about),
      this.#status,
      element('nav', { className: 'group', 'aria-label': 'Page' }, ...buttons),
    );
    page.connection.addEventListener('link', () => this.state(page.state));
    this.state(page.state);
  }

  state(state) {
    const { scene } = state;
    setText(
      this.#name,
      scene?.name ?? { gallery: 'Gallery', loading: 'Loading', failed: 'Failure' }[state.phase] ?? 'Viewer',
    );
    setText(this.#about, scene?.about ?? '');
    this.#name.title = scene?.name ?? '';
    this.#about.title = scene?.about ?? '';
    document.title = scene ? `${scene.name} – Tactus` : 'Tactus';
    const [text, mark] = status(this.#page.connection.link, state);
    setText(this.#word, text);
    this.#status.title = text;
    this.#status.className = `status ${mark}`;
  }
}

/** @returns {[string, string]} the text and its colour's name */
function status(link, state) {
  if (link === 'connecting') return ['Connecting', ''];
  if (link !== 'open') return ['Not connected', 'bad'];
  if (state.phase === 'loading') return ['Loading', 'warn'];
  if (state.phase === 'failed') return ['Failed', 'bad'];
  if (state.phase === 'gallery') return ['Ready', ''];
  if (state.phase === 'replaying') return ['Replay', 'replay'];
  if (state.servo?.fault) return ['Stopped', 'bad'];
  if (state.paused) return ['Paused', 'warn'];
  return state.recording ? ['Recording', 'bad blink'] : ['Running', 'good'];
}
