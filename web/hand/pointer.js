import * as THREE from 'three';
import { encodePointer } from '../protocol/protocol.js';
import { wheelPixels } from '../view/controls.js';

const CLEARANCE = 0.025; // how far a tool hovers before the surface, over the size of a body
const DEPTH = 0.04; // of a press at first, over the scene's radius
const DEEPEST = 0.5;
const PRESS_TIME = 0.2; // s in which a press gets to its depth
const SMOOTH_TIME = 0.05; // s in which the plane follows the surface, so that edges are no jolts
const FINGER_WAIT = 90; // ms in which a second finger makes it a pinch
const FINGER_SLIP = 7; // pixels after which one finger is a drag
const FINGER_REACH = 12; // pixels by which a finger may miss
const KEY_SPEED = 190; // pixels a second
const KEY_TURN = 1.2; // rad a second
const AIM_TIME = 3; // s for which the keyboard's mark is seen

/** What can be done in the view, for the help. */
export const keys = [
  { keys: 'Drag on a body', what: 'touch it: push, pull or carry the tool' },
  { keys: 'Wheel while touching', what: 'deeper, less deep' },
  { keys: 'Shift + drag', what: 'turn a tool that can be turned' },
  { keys: 'Drag elsewhere, right drag', what: 'look around' },
  { keys: 'Ctrl + drag, middle drag', what: 'move the view' },
  { keys: 'Wheel', what: 'nearer, farther' },
  { keys: 'Space', what: 'touch at the pointer, or at the centre; again: let go' },
  { keys: 'I J K L', what: 'move the touch up, left, down, right (also Alt + arrow keys)' },
  { keys: 'Shift + I J K L', what: 'turn a tool that can be turned' },
  { keys: 'Page Down, Page Up', what: 'deeper, less deep' },
  { keys: 'Escape', what: 'let go' },
  { keys: 'Arrow keys', what: 'look around' },
  { keys: '+ −', what: 'nearer, farther' },
  { keys: 'Home', what: 'reset the view' },
];

const MOVES = { KeyI: [0, -1], KeyK: [0, 1], KeyJ: [-1, 0], KeyL: [1, 0] };
const ALT_MOVES = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

const ease = (t) => t * t * (3 - 2 * t);

/**
 * Leads a tool by mouse, pen, finger or keys. Event: `change` when mode, tool, depth, follow or touching change.
 *
 * A press first brings the tool to the place: the program keeps it lifted on its way, and lets it follow the pointer into the
 * body when it has come there, so nothing here waits for it.
 */
export class PointerHand extends EventTarget {
  #view;
  #send;
  #mode = 'push';
  #tool = 0;
  #depth = 0;
  #follow = true;
  #enabled = true;
  #at = null; // pixel {x, y}
  #hover = false; // the pixel has changed: where is that?
  #aim = null; // what the last pick found
  #press = null;
  #turning = null; // {id, x, y}
  #pending = null; // a finger that may become part of a pinch: {event, hit, timer}
  #second = null; // the finger that leads the depth: {id, y}
  #held = new Map(); // keys: code to direction
  #turn = false; // whether held keys turn the tool
  #orientation = new THREE.Quaternion();
  #last = null; // position that was sent
  #mark;
  #markTime = 0;

  /**
   * @param {import('../view/view.js').View} view
   * @param {(message: ArrayBuffer) => void} send
   */
  constructor(view, send) {
    super();
    this.#view = view;
    this.#send = send;
    const { element } = view;
    view.controls.claims.push((event) => (event.type === 'wheel' ? this.#wheel(event) : this.#down(event)));
    view.tickers.push((dt) => this.#tick(dt));
    view.addEventListener('load', () => this.#loaded());
    view.addEventListener('shape', () => view.shape && this.letGo());
    element.addEventListener('pointermove', (event) => this.#move(event));
    for (const name of ['pointerup', 'pointercancel', 'lostpointercapture']) {
      element.addEventListener(name, (event) => this.#up(event));
    }
    element.addEventListener('pointerleave', () => this.#leave());
    element.addEventListener('keydown', (event) => this.#keyDown(event));
    element.addEventListener('keyup', (event) => this.#held.delete(event.code));
    element.addEventListener('blur', () => this.letGo());
    addEventListener('blur', () => this.letGo());
    document.addEventListener('visibilitychange', () => document.hidden && this.letGo());
    this.#mark = new THREE.Mesh(
      new THREE.RingGeometry(0.7, 1, 40),
      new THREE.MeshBasicMaterial({
        transparent: true,
        depthTest: false,
        depthWrite: false,
        side: THREE.DoubleSide,
        toneMapped: false,
      }),
    );
    this.#mark.renderOrder = 90;
    this.#mark.visible = false;
    view.scene.add(this.#mark);
    this.#loaded();
  }

  // ---- what a person chooses ----

  get mode() {
    return this.#mode;
  }

  /** @param {'push'|'pull'|'carry'} mode */
  set mode(mode) {
    if (mode === this.#mode || !['push', 'pull', 'carry'].includes(mode)) return;
    this.letGo();
    this.#mode = mode;
    this.#changed();
  }

  get tool() {
    return this.#tool;
  }

  set tool(index) {
    if (index !== this.#tool) this.letGo();
    this.#tool = index;
    this.#view.selectedTool = index;
    this.#changed();
  }

  /** Of a press, m. */
  get depth() {
    return this.#depth;
  }

  set depth(depth) {
    const before = this.#depth;
    this.#depth = Math.min(Math.max(Number(depth) || 0, 0), DEEPEST * this.#view.radius);
    if (this.#depth !== before) this.#changed();
  }

  /** Whether a drag follows the surface at rest; else it stays in a plane. */
  get follow() {
    return this.#follow;
  }

  set follow(on) {
    if (this.#follow === Boolean(on)) return;
    this.#follow = Boolean(on);
    this.#changed();
  }

  /** Whether it may lead tools at all (not in a replay). */
  get enabled() {
    return this.#enabled;
  }

  set enabled(on) {
    if (!on) this.letGo();
    this.#enabled = Boolean(on);
  }

  get touching() {
    return this.#press !== null;
  }

  /** Ends the touch, whatever began it. */
  letGo() {
    this.#cancelPending();
    this.#held.clear();
    this.#turning = null;
    this.#second = null;
    const press = this.#press;
    if (!press) return;
    this.#press = null;
    // Lifted, and a little away from the surface.
    const away = press.grab
      ? press.target
      : press.base.clone().addScaledVector(press.inward, -CLEARANCE * this.#view.unit);
    this.#sample(false, false, press.mode === 'carry' ? press.target : away);
    this.#changed();
  }

  #changed() {
    this.#view.element.dataset.hand = this.#press ? (this.#press.begun ? 'touching' : 'waiting') : 'free';
    this.dispatchEvent(new Event('change'));
  }

  #loaded() {
    this.letGo();
    this.#last = null;
    this.#aim = null;
    this.#depth = DEPTH * this.#view.radius;
    this.#mark.visible = false;
    this.#changed();
  }

  /** Whether the view shows the simulation and lets it be touched. */
  get #free() {
    return this.#view.shape === null && this.#view.pointing === null;
  }

  /** Tools that hold bodies are the body hand's. */
  get #may() {
    const tool = this.#view.world?.tools[this.#tool];
    return this.#enabled && this.#free && tool?.pointer === true && !Number.isInteger(tool.body);
  }

  get #turns() {
    return this.#view.world?.tools[this.#tool]?.dof >= 6;
  }

  // ---- pointers ----

  /** Whether this pointer is ours rather than the camera's. */
  #down(event) {
    if (this.#pending && event.pointerType === 'touch') {
      const { event: first } = this.#pending; // two fingers at once: a pinch
      this.#cancelPending();
      this.#view.controls.take(first);
      return false;
    }
    if (this.#press && event.pointerType === 'touch' && this.#press.id !== event.pointerId) {
      this.#second = { id: event.pointerId, y: event.offsetY };
      this.#view.element.setPointerCapture(event.pointerId);
      return true;
    }
    if (!this.#may || this.#press || event.button !== 0 || event.ctrlKey || event.metaKey || this.#view.controls.busy)
      return false;
    this.#at = { x: event.offsetX, y: event.offsetY };
    if (event.shiftKey && this.#turns) {
      this.#view.element.setPointerCapture(event.pointerId);
      this.#turning = { id: event.pointerId, ...this.#at };
      return true;
    }
    const finger = event.pointerType === 'touch';
    const hit = this.#view.pick(this.#at.x, this.#at.y, { reach: finger ? FINGER_REACH : 0 });
    if (!hit && this.#mode !== 'carry') return false;
    this.#view.element.setPointerCapture(event.pointerId);
    if (finger) {
      const timer = setTimeout(() => this.#pressPending(), FINGER_WAIT);
      this.#pending = { event, hit, timer };
    } else {
      this.#begin(event.pointerId, hit);
    }
    return true;
  }

  #cancelPending() {
    clearTimeout(this.#pending?.timer);
    this.#pending = null;
  }

  #pressPending() {
    const { event, hit } = this.#pending;
    this.#cancelPending();
    this.#begin(event.pointerId, hit);
  }

  #move(event) {
    const { offsetX: x, offsetY: y } = event;
    if (this.#second?.id === event.pointerId) {
      this.#deeper((y - this.#second.y) * 0.0025 * this.#view.unit);
      this.#second.y = y;
    } else if (this.#turning?.id === event.pointerId) {
      this.#rotate((x - this.#turning.x) * 0.008, (y - this.#turning.y) * 0.008);
      this.#turning = { id: event.pointerId, x, y };
    } else if (this.#pending?.event.pointerId === event.pointerId) {
      const slip = Math.hypot(x - this.#pending.event.offsetX, y - this.#pending.event.offsetY);
      if (slip > FINGER_SLIP) this.#pressPending();
      this.#at = { x, y };
    } else if (
      this.#press ? this.#press.id === event.pointerId : event.pointerType !== 'touch' && event.buttons === 0
    ) {
      this.#at = { x, y };
      this.#hover = true;
      this.#markTime = 0;
    }
  }

  #up(event) {
    if (this.#second?.id === event.pointerId) this.#second = null;
    if (this.#turning?.id === event.pointerId) this.#turning = null;
    if (this.#pending?.event.pointerId === event.pointerId) {
      // A tap touches, briefly.
      if (event.type === 'pointerup') this.#pressPending();
      else this.#cancelPending();
    }
    if (this.#press?.id === event.pointerId) this.letGo();
  }

  #leave() {
    if (!this.#press) this.#hover = false;
  }

  #wheel(event) {
    if (!this.#press) return false;
    this.#deeper(-0.0001 * wheelPixels(event) * this.#view.unit);
    return true;
  }

  /** Away from who looks. @param {number} step m */
  #deeper(step) {
    if (this.#press && this.#press.mode !== 'push') this.#press.away += 2 * step;
    else this.depth += step;
  }

  #rotate(across, down) {
    const { camera } = this.#view;
    const up = new THREE.Vector3().setFromMatrixColumn(camera.matrixWorld, 1);
    const right = new THREE.Vector3().setFromMatrixColumn(camera.matrixWorld, 0);
    if (!this.#press) this.#adoptOrientation();
    const turn = new THREE.Quaternion()
      .setFromAxisAngle(up, across)
      .multiply(new THREE.Quaternion().setFromAxisAngle(right, down));
    this.#orientation.premultiply(turn).normalize();
    this.#view.invalidate();
    if (!this.#press && this.#last) this.#sample(false, false, this.#last);
  }

  // ---- keys ----

  #keyDown(event) {
    if (event.ctrlKey || event.metaKey) return;
    if (event.code === 'Escape' && (this.#press || this.#pending)) {
      this.letGo();
    } else if (!this.#may) {
      return;
    } else if (event.code === 'Space') {
      if (event.repeat) {
        /* held down: neither again nor the page's scrolling */
      } else if (this.#press) this.letGo();
      else this.#beginAtAim();
    } else if (event.code === 'PageDown' || event.code === 'PageUp') {
      this.#deeper((event.code === 'PageDown' ? 1 : -1) * 0.01 * this.#view.unit);
    } else if (event.altKey ? ALT_MOVES[event.code] : MOVES[event.code]) {
      this.#turn = event.shiftKey && this.#turns;
      this.#held.set(event.code, (event.altKey ? ALT_MOVES : MOVES)[event.code]);
    } else {
      return;
    }
    event.preventDefault();
  }

  #beginAtAim() {
    const { width, height } = this.#view.size;
    this.#at ??= { x: width / 2, y: height / 2 };
    let hit = this.#view.pick(this.#at.x, this.#at.y, { reach: FINGER_REACH });
    if (!hit && this.#mode !== 'carry') {
      this.#at = { x: width / 2, y: height / 2 };
      hit = this.#view.pick(this.#at.x, this.#at.y, { reach: FINGER_REACH });
    }
    if (hit || this.#mode === 'carry') this.#begin('key', hit);
  }

  /** Held keys move the pixel, as a mouse would. */
  #moveByKeys(dt) {
    if (this.#held.size === 0) return;
    let [x, y] = [0, 0];
    for (const [dx, dy] of this.#held.values()) [x, y] = [x + dx, y + dy];
    if (this.#turn) {
      this.#rotate(x * KEY_TURN * dt, y * KEY_TURN * dt);
      return;
    }
    const { width, height } = this.#view.size;
    this.#at ??= { x: width / 2, y: height / 2 };
    this.#at = {
      x: Math.min(Math.max(this.#at.x + x * KEY_SPEED * dt, 0), width),
      y: Math.min(Math.max(this.#at.y + y * KEY_SPEED * dt, 0), height),
    };
    this.#hover = true;
    this.#markTime = AIM_TIME;
  }

  // ---- leading ----

  /** @param {number|'key'} id of what began it @param {object|null} hit what the view picked; null only in carry */
  #begin(id, hit) {
    const view = this.#view;
    const { x, y } = this.#at;
    const carries = this.#mode === 'carry';
    const there = carries ? view.pointerPlane(x, y, this.#toolPlace()) : hit.position;
    const place = this.#mode === 'push' ? this.#before(hit) : there.clone();
    const seen = view.project(there);
    // Where bodies deform far, the surface at rest is not where one sees it.
    const moves = hit !== null && view.world.bodies[hit.body]?.coordinates > 0;
    this.#adoptOrientation();
    this.#press = {
      id,
      mode: this.#mode,
      grab: this.#mode === 'pull',
      base: carries ? there : moves ? hit.position.clone() : hit.rest.clone(), // the point that the depth counts from
      follows: !moves, // may follow the surface at rest
      inward: carries ? view.ray(x, y) : this.#inward(hit),
      place, // where the touch begins
      target: place.clone(),
      away: 0, // m, by the wheel
      shift: { x: seen.x - x, y: seen.y - y }, // by which a finger missed
      begun: false, // the tool is there
      ramp: 0, // of the press, to 1
      before: view.tool(this.#tool), // of the last frame that knows nothing of the press
    };
    this.#sample(true, this.#press.grab, place);
    this.#changed();
  }

  /** The pixel that a press leads its point to. */
  #pixel({ shift }) {
    return { x: this.#at.x + shift.x, y: this.#at.y + shift.y };
  }

  #toolPlace() {
    const tool = this.#view.tool(this.#tool);
    return tool ? new THREE.Vector3().fromArray(tool.position) : this.#view.centre.clone();
  }

  /** A tool that another hand has turned is taken over as it is. */
  #adoptOrientation() {
    const tool = this.#view.tool(this.#tool);
    if (!tool || this.#leads(tool)) return;
    const [w, x, y, z] = tool.orientation;
    this.#orientation.set(x, y, z, w);
    if (!(this.#orientation.lengthSq() > 0)) this.#orientation.identity();
    this.#orientation.normalize();
  }

  /** Whether the program says that it is this page that leads. */
  #leads(tool) {
    return tool.led && (this.#view.client === 0 || tool.client === this.#view.client);
  }

  /** A little in front of what was picked, towards the viewer. */
  #before(hit) {
    const view = this.#view;
    const back = view.camera.position.clone().sub(hit.position).normalize();
    return hit.position
      .clone()
      .addScaledVector(back.multiplyScalar(0.4).addScaledVector(hit.normal, 0.6).normalize(), CLEARANCE * view.unit);
  }

  /** Where a press goes: along the normal, or the way one looks where that is rather along the surface. */
  #inward(hit) {
    const ray = hit.position.clone().sub(this.#view.camera.position).normalize();
    const share = THREE.MathUtils.smoothstep(-hit.normal.dot(ray), 0.1, 0.5);
    return ray
      .multiplyScalar(1 - share)
      .addScaledVector(hit.normal, -share)
      .normalize();
  }

  #tick(dt) {
    this.#moveByKeys(dt);
    if (this.#markTime > 0) this.#markTime -= dt;
    if (this.#press) this.#lead(dt);
    else if (this.#hover) this.#hoverThere();
    this.#showMark();
  }

  #hoverThere() {
    this.#hover = false;
    const view = this.#view;
    if (!this.#may || !this.#at || view.controls.busy) return;
    const hit = view.pick(this.#at.x, this.#at.y);
    this.#aim = hit;
    view.element.style.cursor = hit ? 'crosshair' : 'grab';
    if (this.#mode === 'carry') return;
    if (hit) this.#sample(false, false, this.#before(hit));
    else if (this.#last) this.#sample(false, false, view.pointerPlane(this.#at.x, this.#at.y, this.#last));
  }

  #lead(dt) {
    const press = this.#press;
    const tool = this.#view.tool(this.#tool);
    if (tool && tool !== press.before) {
      press.before = null;
      const ours = this.#leads(tool);
      if (press.begun && !ours) {
        // another page has taken the tool
        this.letGo();
        return;
      }
      if (press.begun !== (ours && !tool.lifted)) {
        press.begun = !press.begun;
        this.#changed();
      }
    }
    press.ramp = Math.min(press.ramp + dt / PRESS_TIME, 1);
    const wanted = press.mode === 'push' ? this.#pushed(press, dt) : this.#dragged(press);
    press.target.lerpVectors(press.place, wanted, ease(press.ramp));
    this.#sample(true, press.grab, press.target);
  }

  /** Under the surface at rest below the pointer, by the depth. */
  #pushed(press, dt) {
    const view = this.#view;
    const { x, y } = this.#pixel(press);
    const forward = view.camera.getWorldDirection(new THREE.Vector3());
    const distance = (point) => point.clone().sub(view.camera.position).dot(forward);
    const hit = this.#follow && press.follows ? view.pick(x, y, { undeformed: true }) : null;
    const through = press.base.clone();
    if (hit) {
      const step = distance(hit.rest) - distance(press.base);
      // Not onto what merely lies before or behind.
      if (Math.abs(step) < 0.3 * view.radius) {
        const share = 1 - Math.exp(-dt / SMOOTH_TIME);
        through.addScaledVector(forward, step * share);
        press.inward.lerp(this.#inward(hit), share).normalize();
      }
    }
    press.base.copy(view.pointerPlane(x, y, through));
    return press.base.clone().addScaledVector(press.inward, this.#depth);
  }

  /** In the plane of the picture, moved by the wheel. */
  #dragged(press) {
    const forward = this.#view.camera.getWorldDirection(new THREE.Vector3());
    const through = press.place.clone().addScaledVector(forward, press.away);
    const { x, y } = this.#pixel(press);
    press.base.copy(this.#view.pointerPlane(x, y, through));
    return press.base;
  }

  #sample(touch, grab, position) {
    const [x, y, z] = position.toArray();
    if (!Number.isFinite(x + y + z) || Math.hypot(x, y, z) > 900) return; // the program takes places within a kilometre
    this.#last = position.clone();
    const q = this.#orientation;
    this.#send(
      encodePointer({ tool: this.#tool, touch, grab, position: [x, y, z], orientation: [q.w, q.x, q.y, q.z] }),
    );
  }

  /** Shows where keys aim. */
  #showMark() {
    const shown = this.#markTime > 0 && this.#aim !== null && !this.#press;
    if (shown) {
      this.#mark.position.copy(this.#aim.position);
      this.#mark.scale.setScalar(0.05 * this.#view.unit);
      this.#mark.quaternion.setFromUnitVectors(new THREE.Vector3(0, 0, 1), this.#aim.normal);
      this.#mark.material.color.set(this.#view.theme === 'dark' ? 0xffffff : 0x101820);
    }
    if (shown || this.#mark.visible) this.#view.invalidate();
    this.#mark.visible = shown;
  }
}
