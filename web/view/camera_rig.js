import * as THREE from 'three';

const FOV = 28; // degrees, of the shorter side: bodies look like through a portrait lens
const SETTLE = 0.045; // s in which the camera follows the hand
const FLIGHT = 0.45; // s
const RIGHT_ANGLE = Math.PI / 2;

/** Where the camera stands for each view; z is up, x to the right of who looks from the front. */
const DIRECTIONS = {
  front: [-RIGHT_ANGLE, RIGHT_ANGLE],
  back: [RIGHT_ANGLE, RIGHT_ANGLE],
  left: [Math.PI, RIGHT_ANGLE],
  right: [0, RIGHT_ANGLE],
  top: [-RIGHT_ANGLE, 0],
  bottom: [-RIGHT_ANGLE, Math.PI],
};
export const PRESETS = [
  { id: 'home', label: 'Home' },
  { id: 'front', label: 'Front' },
  { id: 'back', label: 'Back' },
  { id: 'left', label: 'Left' },
  { id: 'right', label: 'Right' },
  { id: 'top', label: 'Top' },
  { id: 'bottom', label: 'Bottom' },
];

const reducedMotion = () => matchMedia('(prefers-reduced-motion: reduce)').matches;
const ease = (t) => t * t * (3 - 2 * t);

function copyPose(pose) {
  return { target: pose.target.clone(), azimuth: pose.azimuth, polar: pose.polar, distance: pose.distance };
}

function direction(azimuth, polar, into) {
  return into.set(Math.sin(polar) * Math.cos(azimuth), Math.sin(polar) * Math.sin(azimuth), Math.cos(polar));
}

/** The camera: turns about a point on a turntable whose axis is z, also through the poles' views. */
export class CameraRig {
  #goal = { target: new THREE.Vector3(), azimuth: -1.05, polar: 1.19, distance: 1 };
  #pose = copyPose(this.#goal);
  #flight = null;
  #scratch = [new THREE.Vector3(), new THREE.Vector3(), new THREE.Vector3()];
  #size = { width: 1, height: 1 };
  #points = [new THREE.Vector3()];
  #homeAngles = [-1.05, 1.19];

  constructor() {
    this.camera = new THREE.PerspectiveCamera(FOV, 1, 0.01, 10);
    this.radius = 1;
    this.centre = new THREE.Vector3();
    this.touched = false; // by a person, since it stood at home
  }

  resize(width, height) {
    this.#size = { width: Math.max(width, 1), height: Math.max(height, 1) };
    this.camera.aspect = this.#size.width / this.#size.height;
    const half = Math.tan((FOV * Math.PI) / 360);
    this.camera.fov = (360 / Math.PI) * Math.atan(this.camera.aspect < 1 ? half / this.camera.aspect : half);
    if (!this.touched) this.#goHome();
    this.#place();
  }

  /**
   * What is to be seen, and from where at first.
   * @param {THREE.Vector3} centre
   * @param {number} radius m
   * @param {THREE.Vector3[]} points that shall be in the picture
   * @param {[number, number]} angles azimuth and polar angle of home
   */
  frame(centre, radius, points, angles) {
    this.centre.copy(centre);
    this.radius = radius;
    this.#points = points;
    this.#homeAngles = angles;
    if (!this.touched) this.#goHome();
    this.#place();
  }

  #goHome() {
    this.#goal = this.#fit(...this.#homeAngles);
    this.#pose = copyPose(this.#goal);
    this.#flight = null;
  }

  /** The nearest pose in that direction in which all points are within the picture, centred. */
  #fit(azimuth, polar) {
    const [back, right, up] = this.#scratch;
    direction(azimuth, polar, back);
    right.set(-Math.sin(azimuth), Math.cos(azimuth), 0);
    up.crossVectors(back, right);
    const slope = Math.tan((this.camera.fov * Math.PI) / 360) * 0.8;
    const slopes = [slope * this.camera.aspect, slope];
    const target = this.centre.clone();
    let distance = 0;
    const p = new THREE.Vector3();
    // The distance for the present centre, then the centre for that distance: a few rounds are enough.
    for (let round = 0; round < 4; ++round) {
      const least = [Infinity, Infinity];
      const most = [-Infinity, -Infinity];
      distance = 0;
      for (const point of this.#points) {
        p.subVectors(point, target);
        const depth = p.dot(back);
        [p.dot(right), p.dot(up)].forEach((x, k) => {
          distance = Math.max(distance, depth + Math.abs(x) / slopes[k]);
        });
      }
      distance = Math.max(distance, 0.5 * this.radius);
      for (const point of this.#points) {
        p.subVectors(point, target);
        const depth = distance - p.dot(back);
        [p.dot(right), p.dot(up)].forEach((x, k) => {
          least[k] = Math.min(least[k], x / depth);
          most[k] = Math.max(most[k], x / depth);
        });
      }
      target
        .addScaledVector(right, 0.5 * distance * (least[0] + most[0]))
        .addScaledVector(up, 0.5 * distance * (least[1] + most[1]));
    }
    return { target, azimuth, polar, distance };
  }

  preset(id) {
    const goal = this.#fit(...(DIRECTIONS[id] ?? this.#homeAngles));
    // The shorter way round; at the poles the azimuth that is there is as good.
    goal.azimuth += 2 * Math.PI * Math.round((this.#pose.azimuth - goal.azimuth) / (2 * Math.PI));
    this.touched = id !== 'home';
    this.#flight = reducedMotion() ? null : { from: copyPose(this.#pose), time: 0 };
    this.#goal = goal;
    if (this.#flight === null) this.#pose = copyPose(goal);
    this.#place();
  }

  #byHand() {
    if (this.#flight) this.#goal = copyPose(this.#pose);
    this.#flight = null;
    this.touched = true;
  }

  /** @param {number} across @param {number} down rad */
  orbit(across, down) {
    this.#byHand();
    this.#goal.azimuth -= across;
    this.#goal.polar = Math.min(Math.max(this.#goal.polar - down, 0), Math.PI);
  }

  /** Moves what is seen by so many pixels. */
  pan(dx, dy) {
    this.#byHand();
    const step = this.pixelSize(this.#goal.distance);
    const [right, up] = this.#scratch;
    right.setFromMatrixColumn(this.camera.matrix, 0);
    up.setFromMatrixColumn(this.camera.matrix, 1);
    this.#goal.target.addScaledVector(right, -dx * step).addScaledVector(up, dy * step);
    // Not out of sight.
    const away = this.#goal.target.distanceTo(this.centre);
    if (away > 4 * this.radius)
      this.#goal.target
        .sub(this.centre)
        .multiplyScalar((4 * this.radius) / away)
        .add(this.centre);
  }

  /**
   * @param {number} factor of the distance
   * @param {number} [x] pixel that stays where it is
   * @param {number} [y]
   */
  zoom(factor, x, y) {
    this.#byHand();
    const goal = this.#goal;
    const distance = Math.min(Math.max(goal.distance * factor, 0.15 * this.radius), 30 * this.radius);
    if (x !== undefined) {
      const step = this.pixelSize(goal.distance) * (1 - distance / goal.distance);
      const [right, up] = this.#scratch;
      right.setFromMatrixColumn(this.camera.matrix, 0);
      up.setFromMatrixColumn(this.camera.matrix, 1);
      goal.target
        .addScaledVector(right, (x - 0.5 * this.#size.width) * step)
        .addScaledVector(up, (0.5 * this.#size.height - y) * step);
    }
    goal.distance = distance;
  }

  /** Metres that a pixel spans at some distance. */
  pixelSize(distance) {
    return (2 * distance * Math.tan((this.camera.fov * Math.PI) / 360)) / this.#size.height;
  }

  /**
   * Lets time pass.
   * @param {number} dt s
   * @returns {boolean} whether the camera moved
   */
  update(dt) {
    const pose = this.#pose;
    const goal = this.#goal;
    let from = pose;
    let share = reducedMotion() ? 1 : 1 - Math.exp(-dt / SETTLE);
    if (this.#flight) {
      this.#flight.time += dt;
      from = this.#flight.from;
      share = ease(Math.min(this.#flight.time / FLIGHT, 1));
      if (this.#flight.time >= FLIGHT) this.#flight = null;
    } else {
      const off =
        Math.abs(goal.azimuth - pose.azimuth) +
        Math.abs(goal.polar - pose.polar) +
        Math.abs(goal.distance / pose.distance - 1) +
        goal.target.distanceTo(pose.target) / this.radius;
      if (off === 0) return false;
      if (off < 1e-4) share = 1;
    }
    pose.azimuth = from.azimuth + share * (goal.azimuth - from.azimuth);
    pose.polar = from.polar + share * (goal.polar - from.polar);
    pose.distance = from.distance * (goal.distance / from.distance) ** share;
    pose.target.lerpVectors(from.target, goal.target, share);
    if (share === 1) this.#pose = copyPose(goal);
    this.#place();
    return true;
  }

  #place() {
    const { target, azimuth, polar, distance } = this.#pose;
    const [back, right, up] = this.#scratch;
    direction(azimuth, polar, back);
    right.set(-Math.sin(azimuth), Math.cos(azimuth), 0);
    up.crossVectors(back, right);
    const camera = this.camera;
    camera.position.copy(target).addScaledVector(back, distance);
    camera.quaternion.setFromRotationMatrix(new THREE.Matrix4().makeBasis(right, up, back));
    const away = camera.position.distanceTo(this.centre);
    camera.near = Math.max(away - 3 * this.radius, 0.02 * this.radius);
    camera.far = away + 12 * this.radius;
    camera.updateProjectionMatrix();
    camera.updateMatrixWorld();
  }
}
