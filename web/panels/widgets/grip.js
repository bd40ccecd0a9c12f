/* How long an input is the person's after its last change: until then, answers to older changes arrive. */
const delay = 400; // ms

/** Knows whether a person moves an input, so that what comes from the program does not pull it out of the hand. */
export class Grip {
  #held = false;
  #changed = -Infinity;
  #timer = 0;

  /** @param {HTMLInputElement} input @param {() => void} released where the program may show its value again */
  constructor(input, released) {
    const touch = () => {
      this.#changed = performance.now();
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => !this.held && released(), delay + 20);
    };
    input.addEventListener('pointerdown', () => (this.#held = true));
    for (const end of ['pointerup', 'pointercancel']) {
      input.addEventListener(end, () => {
        this.#held = false;
        touch();
      });
    }
    input.addEventListener('input', touch);
    input.addEventListener('change', touch);
  }

  get held() {
    return this.#held || performance.now() - this.#changed < delay;
  }
}
