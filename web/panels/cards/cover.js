import { COMMAND } from '../../protocol/protocol.js';
import { button } from '../widgets/button.js';
import { element, setText } from '../widgets/element.js';
import { leftText } from '../../text/wait_text.js';

/** What is shown instead of a scene while it loads, and where it failed. */
export class Cover {
  #element;
  #loading;
  #title = element('h2', {});
  #what = element('p', { className: 'soft' });
  #bar = element('progress', { max: 1, 'aria-label': 'Loading' });
  #share = element('output', {});
  #failure = element('div', { className: 'card failure', role: 'alert' });
  #shown = '';
  #page;

  constructor(host, page) {
    this.#element = host;
    this.#page = page;
    this.#loading = element(
      'div',
      { className: 'card loading' },
      this.#title,
      this.#bar,
      element('div', { className: 'row' }, this.#what, this.#share),
      element('div', { className: 'buttons' }, this.#gallery('Cancel')),
    );
    host.append(this.#loading, this.#failure);
  }

  state(state) {
    const failed = state.phase === 'failed';
    // A recording is opened while its scene is still there.
    this.#element.hidden = !failed && state.phase !== 'loading' && !state.progress;
    this.#element.setAttribute('aria-label', failed ? 'Failure' : 'Loading');
    this.#loading.hidden = failed;
    this.#failure.hidden = !failed;
    if (failed) this.#fail(state.error ?? { text: 'The scene could not be loaded.' });
    else this.#progress(state);
  }

  #gallery(label) {
    return button(label, label === 'Cancel' ? 'close' : 'gallery', () => this.#page.connection.command(COMMAND.open), {
      wide: true,
    });
  }

  #progress({ progress }) {
    setText(this.#title, progress?.scene ? `Loading ${progress.scene}` : 'Loading');
    setText(this.#what, progress?.what ?? '');
    const fraction = progress?.fraction ?? -1;
    if (fraction < 0) this.#bar.removeAttribute('value');
    else this.#bar.value = fraction;
    const left = leftText(progress?.remaining ?? -1);
    setText(this.#share, fraction < 0 ? '' : `${Math.round(100 * fraction)} %${left ? `, ${left}` : ''}`);
  }

  #fail(error) {
    const key = JSON.stringify(error);
    if (key === this.#shown) return; // an alert is read out whenever it changes
    this.#shown = key;
    const place = error.file ? `${error.file}${error.line ? `, line ${error.line}` : ''}` : null;
    // The place has a line of its own.
    const prefix = `${error.file}:${error.line}: `;
    const text = error.text.startsWith(prefix) ? error.text.slice(prefix.length) : error.text;
    const lines = (error.excerpt ?? []).map(({ line, text }) =>
      element(line === error.line ? 'mark' : 'span', {}, element('i', {}, String(line)), `${text}\n`),
    );
    this.#failure.replaceChildren(
      element('h2', { className: 'bad' }, 'This scene cannot be run'),
      element('p', { className: 'text' }, text),
      ...(place ? [element('p', { className: 'soft' }, place)] : []),
      ...(lines.length ? [element('pre', { tabIndex: 0, 'aria-label': 'The lines of the file' }, ...lines)] : []),
      element(
        'div',
        { className: 'buttons' },
        button('Read again', 'reset', () => this.#page.connection.command(COMMAND.reload), {
          wide: true,
          className: 'primary',
        }),
        this.#gallery('Gallery'),
      ),
    );
  }
}
