const RATE = 30; // pictures a second, at the most
const STILL = 250; // ms after which a picture in which nothing moves is shown again, so that its time is kept
const SLICE = 500; // ms between two pieces, which tell the size

const KINDS = [
  ['video/mp4;codecs=avc1.42E01F', 'mp4'],
  ['video/mp4', 'mp4'],
  ['video/webm;codecs=vp9', 'webm'],
  ['video/webm;codecs=vp8', 'webm'],
  ['video/webm', 'webm'],
];

/** The first kind of video that can be written: {type, ending}; null: none. @param {(type: string) => boolean} writes */
export function videoKind(writes) {
  const found = KINDS.find(([type]) => writes(type));
  return found ? { type: found[0], ending: found[1] } : null;
}

/**
 * Films what the view shows, with what its colours mean, as fast as it is shown. The size stays that of the beginning,
 * whatever becomes of the view's. Event: `change`.
 */
export class Video extends EventTarget {
  #view;
  #canvas = document.createElement('canvas');
  #recorder = null;
  #pieces = [];
  #kind = null;
  #began = 0;
  #timer = 0;
  #paint = () => this.#draw();
  /** Bytes so far. */
  size = 0;

  /** @param {import('./view.js').View} view */
  constructor(view) {
    super();
    this.#view = view;
  }

  static get kind() {
    return globalThis.MediaRecorder ? videoKind((type) => MediaRecorder.isTypeSupported(type)) : null;
  }

  get running() {
    return this.#recorder !== null;
  }

  /** s */
  get time() {
    return this.running ? (performance.now() - this.#began) / 1000 : 0;
  }

  start() {
    this.#kind = Video.kind;
    if (!this.#kind) throw new Error('this browser cannot record video');
    const { width, height } = this.#view.element;
    this.#canvas.width = Math.max(2, width - (width % 2)); // encoders want even ones
    this.#canvas.height = Math.max(2, height - (height % 2));
    const pixels = this.#canvas.width * this.#canvas.height;
    this.#recorder = new MediaRecorder(this.#canvas.captureStream(RATE), {
      mimeType: this.#kind.type,
      videoBitsPerSecond: Math.min(Math.max(5 * pixels, 2e6), 4e7),
    });
    this.#pieces = [];
    this.size = 0;
    this.#recorder.addEventListener('dataavailable', ({ data }) => {
      this.#pieces.push(data);
      this.size += data.size;
      this.dispatchEvent(new Event('change'));
    });
    this.#began = performance.now();
    this.#view.painters.push(this.#paint);
    this.#timer = setInterval(() => this.#view.invalidate(), STILL);
    this.#view.invalidate();
    this.#recorder.start(SLICE);
    this.dispatchEvent(new Event('change'));
  }

  #draw() {
    const { element } = this.#view;
    const context = this.#canvas.getContext('2d');
    const { width, height } = this.#canvas;
    // A view of another shape is fitted in.
    const scale = Math.min(width / element.width, height / element.height);
    const [w, h] = [scale * element.width, scale * element.height];
    if (w < width - 2 || h < height - 2) context.clearRect(0, 0, width, height);
    context.drawImage(element, (width - w) / 2, (height - h) / 2, w, h);
    this.#view.drawLegends(context);
  }

  /** @returns {Promise<{blob: Blob, ending: string}>} */
  async stop() {
    const [recorder, kind] = [this.#recorder, this.#kind];
    this.#recorder = null;
    clearInterval(this.#timer);
    this.#view.painters.splice(this.#view.painters.indexOf(this.#paint), 1);
    if (recorder.state !== 'inactive') {
      const ended = new Promise((resolve) => recorder.addEventListener('stop', resolve, { once: true }));
      recorder.stop(); // the last piece comes before the event
      await ended;
    }
    for (const track of recorder.stream.getTracks()) track.stop();
    this.dispatchEvent(new Event('change'));
    return { blob: new Blob(this.#pieces, { type: kind.type.split(';')[0] }), ending: kind.ending };
  }
}
