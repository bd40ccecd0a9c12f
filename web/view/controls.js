const ORBIT_SPEED = 2.6; // rad for a drag across the shorter side of the picture
const STEP = 0.12; // rad, of a key

/**
 * Turns, shifts and zooms the camera by mouse, pen, fingers and keys. Others may take a pointer first: `claims` are
 * asked with each pointerdown and wheel event, and what one of them answers with true is theirs.
 */
export class Controls {
  #pointers = new Map();
  #rig;
  #element;

  /**
   * @param {HTMLElement} element
   * @param {import('./camera_rig.js').CameraRig} rig
   */
  constructor(element, rig) {
    this.#element = element;
    this.#rig = rig;
    /** @type {((event: PointerEvent|WheelEvent) => boolean)[]} */
    this.claims = [];
    element.addEventListener('pointerdown', (event) => {
      if (!this.claims.some((claim) => claim(event))) this.take(event);
    });
    element.addEventListener('pointermove', (event) => this.#move(event));
    for (const name of ['pointerup', 'pointercancel', 'lostpointercapture']) {
      element.addEventListener(name, (event) => this.#pointers.delete(event.pointerId));
    }
    element.addEventListener(
      'wheel',
      (event) => {
        event.preventDefault();
        if (this.claims.some((claim) => claim(event))) return;
        rig.zoom(Math.exp(0.0016 * wheelPixels(event)), event.offsetX, event.offsetY);
      },
      { passive: false },
    );
    element.addEventListener('contextmenu', (event) => event.preventDefault());
    element.addEventListener('keydown', (event) => this.#key(event));
  }

  /** Leads the camera by this pointer from now on. */
  take(event) {
    this.#element.setPointerCapture(event.pointerId);
    const pans = event.ctrlKey || event.metaKey || event.button === 1 || (event.shiftKey && event.button === 2);
    this.#pointers.set(event.pointerId, { x: event.offsetX, y: event.offsetY, pans });
  }

  get busy() {
    return this.#pointers.size > 0;
  }

  #move(event) {
    const pointer = this.#pointers.get(event.pointerId);
    if (!pointer) return;
    const dx = event.offsetX - pointer.x;
    const dy = event.offsetY - pointer.y;
    if (this.#pointers.size === 1) {
      const speed = ORBIT_SPEED / Math.min(this.#element.clientWidth, this.#element.clientHeight);
      if (pointer.pans) this.#rig.pan(dx, dy);
      else this.#rig.orbit(dx * speed, dy * speed);
    } else if (this.#pointers.size === 2) {
      const other = [...this.#pointers].find(([id]) => id !== event.pointerId)[1];
      const before = Math.hypot(pointer.x - other.x, pointer.y - other.y);
      const after = Math.hypot(event.offsetX - other.x, event.offsetY - other.y);
      this.#rig.pan(dx / 2, dy / 2); // the middle of the two
      if (before > 10 && after > 10) {
        this.#rig.zoom(before / after, (event.offsetX + other.x) / 2, (event.offsetY + other.y) / 2);
      }
    }
    pointer.x = event.offsetX;
    pointer.y = event.offsetY;
  }

  #key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const actions = {
      ArrowLeft: () => this.#rig.orbit(-STEP, 0),
      ArrowRight: () => this.#rig.orbit(STEP, 0),
      ArrowUp: () => this.#rig.orbit(0, -STEP),
      ArrowDown: () => this.#rig.orbit(0, STEP),
      '+': () => this.#rig.zoom(0.88),
      '=': () => this.#rig.zoom(0.88),
      '-': () => this.#rig.zoom(1 / 0.88),
      Home: () => this.#rig.preset('home'),
    };
    if (!actions[event.key]) return;
    actions[event.key]();
    event.preventDefault();
  }
}

/** A wheel's turn in pixels, whatever unit the browser counts in. */
export function wheelPixels(event) {
  const unit = [1, 16, 400][event.deltaMode] ?? 1;
  return Math.min(Math.max(event.deltaY * unit, -240), 240);
}
