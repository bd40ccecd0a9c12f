import { button } from './widgets/button.js';
import { download } from './widgets/download.js';
import { element } from './widgets/element.js';

/** Where one looks from, and pictures of what one sees. */
export class Camera {
  #page;
  #next = 0;

  constructor(page) {
    this.#page = page;
    const presets = page.view.presets.map((preset) =>
      element(
        'button',
        { type: 'button', className: 'button text', onclick: () => page.view.preset(preset.id) },
        preset.label,
      ),
    );
    this.element = element(
      'div',
      { className: 'stage-tools' },
      element('div', { className: 'group', role: 'group', 'aria-label': 'Look from' }, ...presets),
      element(
        'div',
        { className: 'group', role: 'group', 'aria-label': 'Picture' },
        button('Save a picture', 'camera', () => this.save(), { keys: 'S' }),
        button('Full screen', 'fullscreen', () => this.fullscreen(), { keys: 'F' }),
      ),
    );
    new ResizeObserver(() => {
      const { offsetTop, offsetHeight } = this.element;
      page.view.covered = offsetTop + offsetHeight;
      page.view.invalidate();
    }).observe(this.element);
  }

  /** The next of the presets, for the keyboard. */
  turn() {
    const { presets } = this.#page.view;
    this.#page.view.preset(presets[this.#next++ % presets.length].id);
  }

  async save() {
    const blob = await this.#page.view.screenshot();
    download(blob, `${this.#page.state.scene?.name ?? 'tactus'}-${this.#page.time.toFixed(2)}s.png`);
  }

  fullscreen() {
    if (document.fullscreenElement) document.exitFullscreen();
    else document.documentElement.requestFullscreen().catch(() => {});
  }
}
