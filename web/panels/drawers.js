import { button } from './widgets/button.js';

const kept = 'tactus.panels';
const narrow = matchMedia('(max-width: 62rem), (max-height: 27rem)'); // as in style.css

/** The panels at the sides: beside the view where there is room (remembered), else over it, one at a time. */
export class Drawers {
  #panels; // {panel, button}
  #wanted = JSON.parse(localStorage.getItem(kept) ?? '[true, true]');
  #open = [false, false];
  #there = false;

  /** @param {HTMLElement} left @param {HTMLElement} right @param {HTMLElement} stage */
  constructor(left, right, stage) {
    this.#panels = [
      [left, 'Controls', 'controls'],
      [right, 'Plots and numbers', 'plots'],
    ].map(([panel, label, icon], index) => {
      const made = button(label, icon, () => this.toggle(index));
      made.setAttribute('aria-controls', panel.id);
      return { panel, button: made };
    });
    this.buttons = this.#panels.map((each) => each.button);
    narrow.addEventListener('change', () => this.#adapt());
    stage.addEventListener('pointerdown', () => narrow.matches && this.close());
    this.#adapt();
  }

  /** Whether there is a scene to have panels for. */
  set there(there) {
    this.#there = there;
    this.#show();
  }

  toggle(index) {
    this.#open[index] = !this.#open[index];
    if (narrow.matches) {
      if (this.#open[index]) this.#open[1 - index] = false;
    } else {
      this.#wanted = [...this.#open];
      localStorage.setItem(kept, JSON.stringify(this.#wanted));
    }
    this.#show();
  }

  /** Closes what covers the view; false where nothing does. */
  close() {
    if (!narrow.matches || !this.#open.includes(true)) return false;
    this.#open = [false, false];
    this.#show();
    return true;
  }

  #adapt() {
    this.#open = narrow.matches ? [false, false] : [...this.#wanted];
    this.#show();
  }

  #show() {
    this.#panels.forEach(({ panel, button: made }, index) => {
      panel.hidden = !this.#there || !this.#open[index];
      made.hidden = !this.#there;
      made.setAttribute('aria-expanded', String(!panel.hidden));
    });
  }
}
