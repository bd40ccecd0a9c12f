import * as THREE from 'three';
import { disposeAll } from './xray.js';

const WIDE = 0.85; // of the frame around the cut, over the scene's radius
const LONG = 0.38; // of the stick, likewise
const BALL = 8; // CSS pixels, more in pictures taller than TALL
const TALL = 1000;
const REACH = { mouse: 14, touch: 26 }; // CSS pixels by which one may miss
const COLOUR = { dark: 0xf2c14e, light: 0x9a6700 };

/**
 * The frame of the plane that cuts, and what it is dragged by: the ball on the plane shifts it, and that at the end of the
 * stick turns a free one.
 */
export class ClipHandle {
  #view;
  #object = new THREE.Group();
  #shift;
  #turn;
  #stick;
  #material = new THREE.LineBasicMaterial({ transparent: true, opacity: 0.8, toneMapped: false });
  #drag = null; // {id, turns, x, y, place, middle}: of the beginning

  /** @param {import('./view.js').View} view */
  constructor(view) {
    this.#view = view;
    const square = [-1, -1, 1, -1, 1, 1, -1, 1].map((x) => WIDE * x);
    const corners = [0, 2, 4, 6].map((k) => new THREE.Vector3(square[k], square[k + 1], 0));
    const frame = new THREE.LineLoop(new THREE.BufferGeometry().setFromPoints(corners), this.#material);
    const ends = [new THREE.Vector3(), new THREE.Vector3(0, 0, LONG)];
    this.#stick = new THREE.Line(new THREE.BufferGeometry().setFromPoints(ends), this.#material);
    [this.#shift, this.#turn] = ends.map((end) => {
      const material = new THREE.MeshBasicMaterial({ toneMapped: false, depthTest: false, transparent: true });
      const ball = new THREE.Mesh(new THREE.SphereGeometry(1, 24, 16), material);
      ball.position.copy(end);
      ball.renderOrder = 80;
      return ball;
    });
    this.#object.add(frame, this.#stick, this.#shift, this.#turn);
    this.#object.visible = false;
    view.scene.add(this.#object);
    view.clip.addEventListener('change', () => this.#place());
    view.tickers.push(() => this.#fit());
    view.controls.claims.unshift((event) => event.type === 'pointerdown' && this.#down(event));
    view.element.addEventListener('pointermove', (event) => this.#move(event));
    for (const name of ['pointerup', 'pointercancel', 'lostpointercapture'])
      view.element.addEventListener(name, ({ pointerId }) => this.#drag?.id === pointerId && (this.#drag = null));
  }

  #place() {
    const { clip, radius } = this.#view;
    this.#object.visible = clip.on;
    this.#turn.visible = this.#stick.visible = clip.across === 'free';
    this.#object.position.copy(clip.middle);
    // Towards what is cut off, and with its sides along the ground.
    const out = clip.normal.multiplyScalar(clip.flipped ? -1 : 1);
    this.#object.scale.setScalar(radius);
    const level = new THREE.Vector3(Math.abs(out.z) > 0.999 ? 1 : 0, 0, Math.abs(out.z) > 0.999 ? 0 : 1);
    const across = new THREE.Vector3().crossVectors(level, out).normalize();
    const up = new THREE.Vector3().crossVectors(out, across);
    this.#object.quaternion.setFromRotationMatrix(new THREE.Matrix4().makeBasis(across, up, out));
    this.#object.updateMatrixWorld();
    this.#view.invalidate();
  }

  /** Balls keep their size on the screen. */
  #fit() {
    if (!this.#object.visible) return;
    const colour = COLOUR[this.#view.theme];
    this.#material.color.set(colour);
    for (const ball of [this.#shift, this.#turn]) {
      const away = ball.getWorldPosition(new THREE.Vector3()).distanceTo(this.#view.camera.position);
      const pixels = BALL * Math.max(this.#view.size.height / TALL, 1);
      ball.scale.setScalar((pixels * this.#view.rig.pixelSize(away)) / this.#view.radius);
      ball.material.color.set(colour);
    }
  }

  #seen(ball) {
    return this.#view.project(ball.getWorldPosition(new THREE.Vector3()));
  }

  /** The ball at a pixel. */
  #at({ offsetX: x, offsetY: y, pointerType }) {
    if (!this.#object.visible || this.#view.world === null) return null;
    const reach = pointerType === 'touch' ? REACH.touch : REACH.mouse;
    const away = (ball) => {
      const at = this.#seen(ball);
      return Math.hypot(at.x - x, at.y - y);
    };
    // Where one looks along the stick, both are there.
    return [this.#shift, this.#turn].find((ball) => ball.visible && away(ball) <= reach) ?? null;
  }

  #down(event) {
    const ball = event.button === 0 && !this.#drag ? this.#at(event) : null;
    if (!ball) return false;
    this.#view.element.setPointerCapture(event.pointerId);
    this.#drag = {
      id: event.pointerId,
      turns: ball === this.#turn,
      x: event.offsetX,
      y: event.offsetY,
      place: this.#view.clip.place,
      middle: this.#view.clip.middle,
    };
    return true;
  }

  #move({ pointerId, offsetX, offsetY }) {
    if (this.#drag?.id !== pointerId) return;
    if (this.#drag.turns) this.#lean(offsetX, offsetY);
    else this.#push(offsetX, offsetY);
  }

  /** As far along the normal as the pointer went along its picture. */
  #push(x, y) {
    const { clip, radius } = this.#view;
    const { middle, place } = this.#drag;
    const step = 0.01 * radius;
    const [from, to] = [0, step].map((far) => this.#view.project(middle.clone().addScaledVector(clip.normal, far)));
    const [dx, dy] = [(to.x - from.x) / step, (to.y - from.y) / step]; // pixels for a metre
    const square = dx * dx + dy * dy;
    const pixel = this.#view.rig.pixelSize(middle.distanceTo(this.#view.camera.position));
    const away = Math.sign(clip.normal.dot(this.#view.camera.getWorldDirection(new THREE.Vector3()))) || 1;
    // Where one looks along the normal, it has no way in the picture: up is away.
    const seen = square > (0.15 / pixel) ** 2;
    const along = seen ? (dx * (x - this.#drag.x) + dy * (y - this.#drag.y)) / square : away * pixel * (this.#drag.y - y);
    clip.set({ place: place + along });
  }

  /** The stick points to the pointer, on the half of its ball that one sees. */
  #lean(x, y) {
    const { clip, camera, radius } = this.#view;
    const { middle } = this.#drag;
    const ray = new THREE.Ray(camera.position.clone(), this.#view.ray(x, y));
    const far = LONG * radius;
    const at = ray.intersectSphere(new THREE.Sphere(middle, far), new THREE.Vector3());
    const out = (at ?? ray.closestPointToPoint(middle, new THREE.Vector3())).sub(middle).normalize();
    if (clip.flipped) out.negate();
    clip.set({ turn: Math.atan2(out.y, out.x), tilt: Math.asin(Math.min(Math.max(out.z, -1), 1)) });
  }

  dispose() {
    this.#object.removeFromParent();
    disposeAll(this.#object);
  }
}
