const SLIP = 5; // pixels within which a press is a click; more turns the camera
const FINGER = { slip: 9, reach: 12 };

/**
 * Clicks on surfaces and hovering over them, for tools that look at places instead of touching: while one is `begin`ned,
 * hands do not take the pointer. A drag turns the camera all the same; Space or Enter clicks where the pointer is, or at
 * the middle. Event: `change` when another tool, or none, has it.
 */
export class SurfacePointer extends EventTarget {
  #view;
  #tool = null; // {name, click(hit), hover(hit, x, y)}
  #press = null; // {event, x, y}
  #at = null;
  #hovers = false;

  /** @param {import('./view.js').View} view */
  constructor(view) {
    super();
    this.#view = view;
    const { element, controls } = view;
    controls.claims.unshift((event) => event.type === 'pointerdown' && this.#down(event));
    element.addEventListener('pointermove', (event) => this.#move(event));
    element.addEventListener('pointerup', (event) => this.#up(event));
    for (const name of ['pointercancel', 'lostpointercapture'])
      element.addEventListener(name, ({ pointerId }) => this.#press?.event.pointerId === pointerId && (this.#press = null));
    element.addEventListener('pointerleave', () => this.#leave());
    element.addEventListener('keydown', (event) => this.#key(event));
    view.tickers.push(() => this.#hover());
  }

  /** The name of the tool that has it, or null. */
  get name() {
    return this.#tool?.name ?? null;
  }

  /** @param {{name: string, click: (hit: object) => void, hover?: (hit: object|null, x: number, y: number) => void}|null} tool */
  begin(tool) {
    this.#tool?.hover?.(null, 0, 0);
    this.#tool = tool;
    this.#view.pointing = this.name;
    this.#view.element.style.cursor = '';
    this.#press = null;
    this.dispatchEvent(new Event('change'));
  }

  #down(event) {
    if (!this.#tool || event.button !== 0 || event.ctrlKey || event.metaKey || this.#view.controls.busy) return false;
    if (this.#press) {
      // Two fingers: both are the camera's.
      this.#view.controls.take(this.#press.event);
      this.#press = null;
      return false;
    }
    this.#view.element.setPointerCapture(event.pointerId);
    this.#press = { event, x: event.offsetX, y: event.offsetY };
    return true;
  }

  #move(event) {
    if (!this.#tool) return;
    const { offsetX: x, offsetY: y, pointerType } = event;
    this.#at = { x, y };
    this.#hovers = pointerType !== 'touch' && event.buttons === 0;
    if (this.#press?.event.pointerId !== event.pointerId) return;
    const slip = pointerType === 'touch' ? FINGER.slip : SLIP;
    if (Math.hypot(x - this.#press.x, y - this.#press.y) <= slip) return;
    this.#view.controls.take(this.#press.event);
    this.#press = null;
  }

  #up(event) {
    if (this.#press?.event.pointerId !== event.pointerId) return;
    const { x, y } = this.#press;
    this.#press = null;
    this.#click(x, y, event.pointerType === 'touch' ? FINGER.reach : 0);
  }

  #click(x, y, reach) {
    const hit = this.#view.pick(x, y, { reach });
    if (hit) this.#tool.click(hit);
  }

  #key(event) {
    if (!this.#tool || event.repeat || !['Space', 'Enter'].includes(event.code)) return;
    event.preventDefault();
    const { width, height } = this.#view.size;
    const { x, y } = this.#at ?? { x: width / 2, y: height / 2 };
    this.#click(x, y, FINGER.reach);
  }

  #hover() {
    if (!this.#tool || !this.#hovers || this.#view.controls.busy) return;
    this.#hovers = false;
    const hit = this.#view.pick(this.#at.x, this.#at.y);
    this.#view.element.style.cursor = hit ? 'crosshair' : 'grab';
    this.#tool.hover?.(hit, this.#at.x, this.#at.y);
  }

  #leave() {
    this.#hovers = false;
    this.#tool?.hover?.(null, 0, 0);
  }
}
