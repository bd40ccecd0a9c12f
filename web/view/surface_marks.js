import * as THREE from 'three';
import { Label } from './label.js';
import { disposeAll } from './xray.js';

const DOT = 11; // CSS pixels, more in pictures taller than TALL
const LINE = 2.2; // likewise
const TALL = 1000;
const INK = {
  dark: { line: 0x7fe3f0, ink: '#e6fbff', paper: 'rgba(10, 24, 30, 0.85)', edge: '#35b6c8' },
  light: { line: 0x0b6a7a, ink: '#053842', paper: 'rgba(255, 255, 255, 0.92)', edge: '#0e8a9c' },
};
const HIDDEN = 0.4; // opacity on a side that one does not see

/** A disc with a rim, drawn once for all dots. */
function disc() {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = 64;
  const context = canvas.getContext('2d');
  for (const [radius, colour] of [
    [30, '#05343c'],
    [23, '#ffffff'],
  ]) {
    context.fillStyle = colour;
    context.beginPath();
    context.arc(32, 32, radius, 0, 2 * Math.PI);
    context.fill();
  }
  const texture = new THREE.CanvasTexture(canvas);
  texture.colorSpace = THREE.SRGBColorSpace;
  return texture;
}

/**
 * Marks on surfaces: dots, the lines that join them, and a few words each.
 * A mark has `points` (SurfacePoints), `text()` and `at`, which of its points the words stand at (between two: 0.5); `side`
 * is where they stand, one of Label's.
 */
export class SurfaceMarks {
  #view;
  #object = new THREE.Group();
  #drawn = new Map(); // by mark: {dots, lines, label}
  #disc = disc();
  #rod = new THREE.CylinderGeometry(0.5, 0.5, 1, 8, 1, true);

  /** @param {import('./view.js').View} view */
  constructor(view) {
    this.#view = view;
    view.scene.add(this.#object);
    view.tickers.push(() => this.#place());
  }

  add(mark) {
    const spriteMaterial = () =>
      new THREE.SpriteMaterial({
        map: this.#disc,
        transparent: true,
        depthTest: false,
        depthWrite: false,
        sizeAttenuation: false,
        toneMapped: false,
      });
    const dots = mark.points.map(() => new THREE.Sprite(spriteMaterial()));
    for (const dot of dots) dot.renderOrder = 92;
    const lines = mark.points.slice(1).map(() => {
      const material = new THREE.MeshBasicMaterial({ transparent: true, depthTest: false, toneMapped: false });
      const line = new THREE.Mesh(this.#rod, material);
      line.renderOrder = 91;
      return line;
    });
    const label = new Label(mark.side ?? 'above', 200);
    this.#object.add(...dots, ...lines, label.object);
    this.#drawn.set(mark, { dots, lines, label });
    this.#place();
    this.#view.invalidate();
  }

  remove(mark) {
    const { dots, lines, label } = this.#drawn.get(mark);
    for (const each of [...dots, ...lines, label.object]) {
      each.removeFromParent();
      if (each.material.map !== this.#disc) each.material.map?.dispose();
      each.material.dispose();
    }
    this.#drawn.delete(mark);
    this.#view.invalidate();
  }

  #place() {
    const { camera, size, theme } = this.#view;
    const larger = Math.max(size.height / TALL, 1);
    const tall = ((larger * DOT) / size.height) * 2 * Math.tan((camera.fov * Math.PI) / 360);
    for (const [mark, { dots, lines, label }] of this.#drawn) {
      const places = mark.points.map((point) => point.position());
      const hidden = mark.points.some((point) => !this.#view.looks.get(point.body).visible);
      const there = !hidden && !places.includes(null);
      for (const each of [...dots, ...lines, label.object]) each.visible = there;
      if (!there) continue;
      places.forEach((place, k) => {
        const away = mark.points[k].normal().dot(camera.position.clone().sub(place)) < 0;
        dots[k].material.opacity = away ? HIDDEN : 1;
        dots[k].position.copy(place);
        dots[k].scale.setScalar(tall);
      });
      lines.forEach((line, k) => this.#join(line, places[k], places[k + 1], larger));
      const from = places[Math.floor(mark.at)];
      label.object.position.copy(from).lerp(places[Math.ceil(mark.at)], mark.at % 1);
      label.set(mark.text(), INK[theme]);
      label.fit(this.#view);
    }
  }

  #join(line, from, to, larger) {
    const way = new THREE.Vector3().subVectors(to, from);
    line.position.addVectors(from, to).multiplyScalar(0.5);
    const thick = larger * LINE * this.#view.rig.pixelSize(line.position.distanceTo(this.#view.camera.position));
    line.scale.set(thick, Math.max(way.length(), 1e-9), thick);
    line.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), way.normalize());
    line.material.color.set(INK[this.#view.theme].line);
  }

  dispose() {
    disposeAll(this.#object);
    this.#object.removeFromParent();
    this.#disc.dispose();
  }
}
