import { COMMAND } from '../protocol/protocol.js';
import { button, relabel } from './widgets/button.js';
import { element, newId, setText } from './widgets/element.js';
import { section } from './widgets/section.js';

/** Bases from what a hand does with a linear model: records it, and says how to bake with that. */
export class SketchPanel {
  #page;
  #names = null;
  #bodies;
  #bodyRow;
  #button;
  #file = element('p', { className: 'soft small' });
  #advice = element('code', { tabIndex: 0 });
  #done;

  constructor(page) {
    this.#page = page;
    const id = newId();
    this.#bodies = element('select', { id });
    this.#bodyRow = element('div', { className: 'row' }, element('label', { htmlFor: id }, 'Body'), this.#bodies);
    this.#button = button('Sketch', 'sketch', () => this.#toggle(), { wide: true, className: 'outlined' });
    this.#done = element(
      'div',
      { className: 'advice', hidden: true },
      this.#file,
      element('p', { className: 'small' }, "This line in the scene file bakes a basis from it:"),
      element(
        'div',
        { className: 'copied' },
        this.#advice,
        button('Copy', 'copy', () => this.#copy(), { className: 'small' }),
      ),
    );
    this.element = section(
      'Sketch',
      element('p', { className: 'soft small' }, 'Pull the body into shapes that a new basis must represent.'),
      this.#bodyRow,
      this.#button,
      this.#done,
    );
    this.element.hidden = true;
    /** Over the view, as long as one sketches. */
    this.ribbon = element(
      'div',
      { className: 'ribbon warn', role: 'status', hidden: true },
      element(
        'p',
        {},
        element('b', {}, 'Sketch. '),
        'The model is linear now, so large shapes look distorted. Everything is recorded; the bake computes the true shapes.',
      ),
      element('button', { type: 'button', className: 'button text', onclick: () => this.#toggle() }, 'End sketch'),
    );
  }

  state(state) {
    const bodies = (state.scene?.bodies ?? []).map(({ name, sketch }, index) => ({ name, sketch, index }));
    const possible = bodies.filter((body) => body.sketch);
    const names = JSON.stringify(possible);
    if (names !== this.#names) {
      this.#names = names;
      this.#bodies.replaceChildren(...possible.map(({ name, index }) => element('option', { value: index }, name)));
    }
    const sketching = Boolean(state.sketch);
    this.element.hidden = possible.length === 0 || state.phase !== 'running';
    this.#bodyRow.hidden = possible.length < 2;
    this.#bodies.disabled = sketching;
    if (sketching) this.#bodies.value = state.sketch.body;
    this.ribbon.hidden = !sketching;
    relabel(this.#button, sketching ? 'End sketch' : 'Sketch', '', sketching ? 'stop' : 'sketch');
    // A recording that is none of a sketch has to end first.
    this.#button.disabled = !sketching && Boolean(state.recording);
    this.#done.hidden = !state.sketched || sketching;
    setText(this.#file, state.sketched ? `Recorded to ${state.sketched.file}` : '');
    setText(this.#advice, state.sketched?.basis ?? '');
  }

  #toggle() {
    const { connection, hand, state, view } = this.#page;
    view.shape = null;
    if (!state.sketch) hand.mode = 'pull';
    const begins = { value: 1, index: +this.#bodies.value + 1 };
    connection.command(COMMAND.record, state.sketch ? { value: 0 } : begins);
  }

  /** Where a page may not use the clipboard the text is selected, to be copied by hand. */
  #copy() {
    getSelection().selectAllChildren(this.#advice);
    navigator.clipboard?.writeText(this.#advice.textContent).catch(() => {});
  }
}
