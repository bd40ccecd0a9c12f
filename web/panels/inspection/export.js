import { glb } from '../../view/glb.js';
import { shownShapes } from '../../view/shown_shapes.js';
import { Video } from '../../view/video.js';
import { button, relabel } from '../widgets/button.js';
import { download } from '../widgets/download.js';
import { element, setText } from '../widgets/element.js';
import { clock } from '../../text/quantity.js';
import { stampedName } from '../../text/stamped_name.js';

const bytes = (size) => (size < 1e6 ? `${(size / 1e3).toFixed(0)} kB` : `${(size / 1e6).toFixed(1)} MB`);

/** Takes what is seen along: a video of the view, and the bodies as a glTF file. */
export class ExportPanel {
  #page;
  #video;
  #record;
  #status = element('p', { className: 'soft small', role: 'status', hidden: true });

  constructor(page) {
    this.#page = page;
    this.#video = new Video(page.view);
    this.#record = button('Video', 'record', () => this.toggleVideo(), { wide: true, keys: 'W', className: 'outlined red' });
    const shape = button('glTF', 'save', () => this.saveShape(), { wide: true, keys: 'E', className: 'outlined' });
    shape.title = 'Save the bodies as they are now, .glb (E)';
    this.element = element('div', { className: 'stack', role: 'group', 'aria-label': 'Export' });
    this.element.append(
      element('h3', {}, 'Export'),
      element('div', { className: 'group' }, this.#record, shape),
      this.#status,
    );
    if (!Video.kind) {
      this.#record.disabled = true;
      this.#record.title = 'This browser cannot record video';
    }
    this.#video.addEventListener('change', () => this.show());
  }

  get #name() {
    return stampedName(this.#page.state.scene?.name);
  }

  /** Begins a video, or ends and saves it. */
  async toggleVideo() {
    try {
      if (!this.#video.running) {
        if (this.#page.view.world && Video.kind) this.#video.start();
        return;
      }
      const name = this.#name;
      const { blob, ending } = await this.#video.stop();
      download(blob, `${name}.${ending}`);
      this.#showStatus(`Saved ${name}.${ending}, ${bytes(blob.size)}`);
    } catch (error) {
      this.#showStatus(`No video: ${error.message}`);
    }
    this.show();
  }

  /** Saves the bodies as they are shown now. */
  saveShape() {
    const { view } = this.#page;
    const shapes = view.world ? shownShapes(view) : [];
    if (shapes.length === 0) {
      this.#showStatus('There is no body to save');
      return;
    }
    const file = glb(view.world.name, shapes);
    const name = `${this.#name}.glb`;
    download(new Blob([file], { type: 'model/gltf-binary' }), name);
    this.#showStatus(`Saved ${name}, ${bytes(file.byteLength)}`);
  }

  #showStatus(text) {
    setText(this.#status, text);
    this.#status.hidden = text === '';
  }

  show() {
    const { running, time, size } = this.#video;
    this.#record.classList.toggle('on', running);
    relabel(this.#record, running ? 'Stop' : 'Video', 'W', running ? 'stop' : 'record');
    this.#page.view.element.dataset.video = running ? String(size) : '';
    if (running) this.#showStatus(`Filming: ${clock(time)}, ${bytes(size)}`);
  }
}
