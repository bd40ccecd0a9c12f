import * as THREE from 'three';
import { CONTACT, encodePointer } from '../protocol/protocol.js';
import { wheelPixels } from '../view/controls.js';
import { devicePose, graspPose } from '../view/tool_pose.js';

const TURN = 0.008; // rad for a pixel
const ROLL = 0.002; // rad for a pixel of the wheel
const KEY_SPEED = 0.5; // sizes of a body in a second
const KEY_TURN = 1.2; // rad a second
const YIELD_TIME = 1.5; // s in which a released hand comes back to the body
const YIELD_STEP = 0.05; // s that a picture counts of them at most: where pictures are slow it needs as many

/** What can be done with a held body, for the help. */
export const bodyKeys = [
  { keys: 'Drag a held body', what: 'move it; with the wheel: farther, nearer' },
  { keys: 'Right drag or Shift + drag on it', what: 'turn it; with the wheel: roll it' },
  { keys: 'I J K L, Page Down, Page Up', what: 'move it' },
  { keys: 'Shift + I J K L, U, O', what: 'turn it; U and O roll it' },
  { keys: 'G', what: 'close or open its jaws' },
  { keys: 'Escape', what: 'let go: it stays where it is' },
];

// Right, up, away from who looks.
const MOVES = {
  KeyI: [0, 1, 0],
  KeyK: [0, -1, 0],
  KeyJ: [-1, 0, 0],
  KeyL: [1, 0, 0],
  PageDown: [0, 0, 1],
  PageUp: [0, 0, -1],
};
// About the axes to the right, up, and away.
const TURNS = {
  KeyI: [-1, 0, 0],
  KeyK: [1, 0, 0],
  KeyJ: [0, -1, 0],
  KeyL: [0, 1, 0],
};
const ROLLS = { KeyU: [0, 0, -1], KeyO: [0, 0, 1] };

/**
 * Leads tools that hold bodies, in six degrees of freedom, by mouse, pen, fingers or keys. Event: `change` when it
 * takes hold or lets go.
 *
 * The page leads the device's copy of the body; the program's coupling pulls the body itself there. When the button is
 * released the hand holds the body where it is; where it pressed it yields, until there is no force any more.
 */
export class BodyHand extends EventTarget {
  #page;
  #view;
  #drag = null; // {tool, id, turns, x, y, from: THREE.Vector3, offset: THREE.Vector3, away}
  #second = null; // a second finger, which turns: {id, x, y}
  #targets = new Map(); // by tool that this page holds: {position, orientation}
  #closed = new Set(); // tools whose jaws this page closes
  #held = new Map(); // keys: code to {axes, turns}
  #over = null; // pixel where the mouse is

  /**
   * @param {object} page
   * @param {import('../view/view.js').View} page.view
   * @param {import('./pointer.js').PointerHand} page.hand
   * @param {import('../connection.js').Connection} page.connection
   */
  constructor(page) {
    super();
    this.#page = page;
    this.#view = page.view;
    const { element, controls, tickers } = page.view;
    controls.claims.unshift((event) => (event.type === 'wheel' ? this.#wheel(event) : this.#down(event)));
    tickers.push((dt) => this.#tick(dt));
    this.#view.addEventListener('load', () => this.#clear());
    this.#view.addEventListener('shape', () => this.#view.shape && this.#end());
    element.addEventListener('pointermove', (event) => this.#move(event));
    for (const name of ['pointerup', 'pointercancel', 'lostpointercapture']) {
      element.addEventListener(name, (event) => this.#up(event));
    }
    element.addEventListener('keydown', (event) => this.#keyDown(event));
    element.addEventListener('keyup', (event) => this.#held.delete(event.code));
    for (const target of [element, window]) target.addEventListener('blur', () => this.#held.clear());
  }

  /** Whether a tool holds a body. */
  holds(tool) {
    return Number.isInteger(this.#view.world?.tools[tool]?.body);
  }

  get dragging() {
    return this.#drag !== null;
  }

  /** Whether tools may be led at all (not in a replay). */
  get #may() {
    const { shape, pointing, world } = this.#view;
    return this.#page.hand.enabled && shape === null && pointing === null && world !== null;
  }

  /** The tool that holds what is at a pixel: {tool, hit}, or null. */
  #at(x, y, reach = 0) {
    const tools = this.#view.world?.tools ?? [];
    if (!this.#may || !tools.some((tool) => Number.isInteger(tool.body) && tool.pointer)) return null;
    const hit = this.#view.pick(x, y, { reach });
    const tool = hit ? this.#view.world.bodies[hit.body]?.held : null; // the body that it holds, or a jaw
    return Number.isInteger(tool) && tools[tool]?.pointer ? { tool, hit } : null;
  }

  // ---- pointers ----

  #down(event) {
    const { pointerId: id, offsetX: x, offsetY: y, button, pointerType } = event;
    if (this.#drag && pointerType === 'touch' && this.#drag.id !== id) {
      this.#second = { id, x, y };
      this.#view.element.setPointerCapture(id);
      return true;
    }
    if (this.#drag || event.ctrlKey || event.metaKey || ![0, 2].includes(button)) return false;
    if (this.#view.controls.busy) return false;
    const found = this.#at(x, y, pointerType === 'touch' ? 12 : 0);
    if (!found) return false;
    const { tool, hit } = found;
    this.#page.hand.tool = tool;
    const target = this.#take(tool);
    if (!target) return false;
    const offset = target.position.clone().sub(hit.position);
    const turns = button === 2 || event.shiftKey;
    this.#drag = { tool, id, turns, x, y, from: hit.position, offset, away: 0 };
    this.#view.element.setPointerCapture(id);
    this.#view.element.style.cursor = 'grabbing';
    this.#changed();
    return true;
  }

  #move(event) {
    const { pointerId: id, offsetX: x, offsetY: y } = event;
    this.#over = event.pointerType === 'touch' ? null : { x, y };
    if (this.#second?.id === id) {
      this.#turn(this.#drag.tool, (y - this.#second.y) * TURN, (x - this.#second.x) * TURN, 0);
      Object.assign(this.#second, { x, y });
    } else if (this.#drag?.id === id) {
      if (this.#drag.turns) this.#turn(this.#drag.tool, (y - this.#drag.y) * TURN, (x - this.#drag.x) * TURN, 0);
      Object.assign(this.#drag, { x, y });
    }
  }

  #up({ pointerId: id }) {
    if (this.#second?.id === id) this.#second = null;
    if (this.#drag?.id === id) this.#end();
  }

  #wheel(event) {
    if (!this.#drag) return false;
    if (this.#drag.turns) this.#turn(this.#drag.tool, 0, 0, ROLL * wheelPixels(event));
    else this.#drag.away -= 0.0006 * wheelPixels(event) * this.#view.unit;
    return true;
  }

  // ---- keys ----

  #keyDown(event) {
    const { tool } = this.#page.hand;
    if (event.ctrlKey || event.metaKey || event.altKey || !this.holds(tool) || !this.#may) return;
    if (event.code === 'Escape') {
      if (this.#targets.has(tool)) this.letGo(tool);
      return;
    }
    if (event.code === 'KeyG' && this.#view.world.tools[tool].jaws > 0) {
      if (event.repeat || !this.#take(tool)) return;
      if (!this.#closed.delete(tool)) this.#closed.add(tool);
      this.#send(tool);
      event.preventDefault();
      return;
    }
    const axes = ROLLS[event.code] ?? (event.shiftKey ? TURNS : MOVES)[event.code];
    if (!axes || !this.#view.world.tools[tool].pointer) return;
    this.#held.set(event.code, { axes, turns: event.shiftKey || event.code in ROLLS });
    event.preventDefault();
  }

  #leadByKeys(dt) {
    const { tool } = this.#page.hand;
    if (this.#held.size === 0 || !this.holds(tool)) return;
    const target = this.#take(tool);
    if (!target) return;
    const [right, up, away] = this.#axes();
    for (const { axes, turns } of this.#held.values()) {
      if (turns) {
        this.#turn(tool, ...axes.map((share) => share * KEY_TURN * dt));
        continue;
      }
      const step = KEY_SPEED * this.#view.unit * dt;
      [right, up, away].forEach((axis, k) => target.position.addScaledVector(axis, axes[k] * step));
    }
    this.#send(tool);
  }

  // ---- leading ----

  /** The target of a tool from now on; null where it belongs to a device or is not there yet. */
  #take(tool) {
    if (!this.#view.world.tools[tool]?.pointer) return null;
    const known = this.#targets.get(tool);
    if (known) return known;
    const now = this.#view.tool(tool);
    if (!now) return null;
    const target = { position: new THREE.Vector3(), orientation: new THREE.Quaternion(), since: now };
    // A body that nobody holds rests where it is: the device comes there first, and then takes it.
    const pose = now.lifted ? graspPose(now) : devicePose(now);
    pose.decompose(target.position, target.orientation, new THREE.Vector3());
    this.#targets.set(tool, target);
    this.#send(tool);
    this.#changed();
    return target;
  }

  /** To the right, up, and away from who looks. */
  #axes() {
    const { camera } = this.#view;
    return [0, 1, 2].map((k) =>
      new THREE.Vector3().setFromMatrixColumn(camera.matrixWorld, k).multiplyScalar(k === 2 ? -1 : 1),
    );
  }

  /** About the axes of the picture. */
  #turn(tool, aboutRight, aboutUp, aboutAway) {
    const target = this.#targets.get(tool);
    if (!target) return;
    const axes = this.#axes();
    [aboutRight, aboutUp, aboutAway].forEach((angle, k) =>
      target.orientation.premultiply(new THREE.Quaternion().setFromAxisAngle(axes[k], angle)),
    );
    target.orientation.normalize();
  }

  #tick(dt) {
    this.#leadByKeys(dt);
    if (this.#drag) this.#follow();
    else if (this.#over) this.#showCursor();
    this.#yield(dt);
    this.#watch();
  }

  #follow() {
    const { tool, turns, x, y, from, offset, away } = this.#drag;
    const target = this.#targets.get(tool);
    if (!turns) {
      const through = from.clone().addScaledVector(this.#axes()[2], away);
      target.position.copy(this.#view.pointerPlane(x, y, through)).add(offset);
    }
    this.#send(tool);
  }

  #showCursor() {
    const { x, y } = this.#over;
    const { element, controls } = this.#view;
    this.#over = null;
    if (!controls.busy && !this.#page.hand.touching && this.#at(x, y)) element.style.cursor = 'move';
    else if (element.style.cursor === 'move') element.style.cursor = 'grab';
  }

  /** Another page may have taken a tool. */
  #watch() {
    for (const [tool, target] of this.#targets) {
      const now = this.#view.tool(tool);
      if (!now || now === target.since) continue;
      const ours = now.led && (this.#view.client === 0 || now.client === this.#view.client);
      if (ours) target.confirmed = true;
      else if (target.confirmed) this.#drop(tool);
    }
  }

  #drop(tool) {
    this.#targets.delete(tool);
    this.#closed.delete(tool);
    if (this.#drag?.tool === tool) this.#drag = this.#second = null;
    this.#changed();
  }

  /** The button is released: the body is held where it is. */
  #end() {
    if (!this.#drag) return;
    const { tool } = this.#drag;
    this.#drag = this.#second = null;
    this.#view.element.style.cursor = 'move';
    if (this.#page.state.demo) this.letGo(tool);
    else this.#targets.get(tool).yields = YIELD_TIME;
    this.#changed();
  }

  /** A released hand lets itself be pushed to where the body is, until that is pressed no more. */
  #yield(dt) {
    for (const [tool, target] of this.#targets) {
      const now = this.#view.tool(tool);
      if (!(target.yields > 0) || !now || this.#drag?.tool === tool) continue;
      target.yields -= Math.min(dt, YIELD_STEP);
      // Also where it does not touch in this picture: it may have sprung back for a moment, with the hand still far inside.
      graspPose(now).decompose(target.position, target.orientation, new THREE.Vector3());
      if (now.state === CONTACT.none) target.yields = 0;
      this.#send(tool);
    }
  }

  /** The body rests where it is, or the scene's own hand has it again. */
  letGo(tool) {
    if (!this.#targets.has(tool)) return;
    this.#send(tool, false);
    this.#drop(tool);
  }

  #clear() {
    this.#targets.clear();
    this.#closed.clear();
    this.#held.clear();
    this.#drag = this.#second = null;
    this.#changed();
  }

  #send(tool, touch = true) {
    const target = this.#targets.get(tool);
    if (!target) return;
    const { position, orientation: q } = target;
    const [x, y, z] = position.toArray();
    if (!Number.isFinite(x + y + z) || Math.hypot(x, y, z) > 900) return; // the program takes places within a kilometre
    this.#page.connection.send(
      encodePointer({
        tool,
        touch,
        grab: this.#closed.has(tool),
        position: [x, y, z],
        orientation: [q.w, q.x, q.y, q.z],
      }),
    );
  }

  #changed() {
    this.#view.element.dataset.bodyHand = this.#drag ? 'dragging' : this.#targets.size > 0 ? 'holding' : 'free';
    this.dispatchEvent(new Event('change'));
  }
}
