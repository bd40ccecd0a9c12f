const kept = 'tactus.theme';
const dark = matchMedia('(prefers-color-scheme: dark)');

/** Dark or light: what the machine prefers until a person chooses. Event: `change`. */
class Theme extends EventTarget {
  #chosen = localStorage.getItem(kept);
  #colours = new Map();
  #probe = document.createElement('i');

  constructor() {
    super();
    dark.addEventListener('change', () => this.#show());
    this.#probe.hidden = true;
    document.body.append(this.#probe);
    this.#show();
  }

  /** @returns {'dark'|'light'} */
  get now() {
    return this.#chosen ?? (dark.matches ? 'dark' : 'light');
  }

  toggle() {
    const next = this.now === 'dark' ? 'light' : 'dark';
    // Who chooses what the machine prefers anyway follows the machine again.
    if ((next === 'dark') === dark.matches) localStorage.removeItem(kept);
    else localStorage.setItem(kept, next);
    this.#chosen = localStorage.getItem(kept);
    this.#show();
  }

  /** For this page alone, without being remembered. */
  force(name) {
    this.#chosen = name;
    this.#show();
  }

  /** A colour of the style sheet as a canvas understands it: colour('--s0'). */
  colour(name) {
    if (!this.#colours.has(name)) {
      this.#probe.style.color = `var(${name})`;
      this.#colours.set(name, getComputedStyle(this.#probe).color);
    }
    return this.#colours.get(name);
  }

  #show() {
    document.documentElement.dataset.theme = this.now;
    this.#colours.clear();
    this.dispatchEvent(new Event('change'));
  }
}

export const theme = new Theme();

/** The colour of a tool's curves and marks, from the style sheet's eight. */
export function toolColour(tool) {
  return `--s${tool % 8}`;
}
