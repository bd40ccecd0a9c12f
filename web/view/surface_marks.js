import * as THREE from 'three';
import { Label } from './label.js';
import { disposeAll } from './xray.js';

const DOT = 11; // CSS pixels
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
 * A mark has `points` (SurfacePoints), `text()` and `at`, which of its points the words stand at (between two: 0.5).
 */
export class SurfaceMarks {
  #view;
  #object = new THREE.Group();
  #drawn = new Map(); // by mark: {dots, line, label}
  #disc = disc();

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
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute('position', new THREE.BufferAttribute(new Float32Array(3 * mark.points.length), 3));
    const material = new THREE.LineBasicMaterial({ transparent: true, depthTest: false, toneMapped: false });
    const line = new THREE.Line(geometry, material);
    line.frustumCulled = false;
    line.renderOrder = 91;
    const label = new Label('above', 200);
    this.#object.add(...dots, line, label.object);
    this.#drawn.set(mark, { dots, line, label });
    this.#place();
    this.#view.invalidate();
  }

  remove(mark) {
    const { dots, line, label } = this.#drawn.get(mark);
    for (const each of [...dots, line, label.object]) {
      each.removeFromParent();
      if (each.material.map !== this.#disc) each.material.map?.dispose();
      each.material.dispose();
    }
    line.geometry.dispose();
    this.#drawn.delete(mark);
    this.#view.invalidate();
  }

  #place() {
    const { camera, size, theme } = this.#view;
    const tall = (DOT / size.height) * 2 * Math.tan((camera.fov * Math.PI) / 360);
    for (const [mark, { dots, line, label }] of this.#drawn) {
      const places = mark.points.map((point) => point.position());
      const there = !places.includes(null);
      for (const each of [...dots, line, label.object]) each.visible = there;
      if (!there) continue;
      const { position } = line.geometry.attributes;
      places.forEach((place, k) => {
        const away = mark.points[k].normal().dot(camera.position.clone().sub(place)) < 0;
        dots[k].material.opacity = away ? HIDDEN : 1;
        dots[k].position.copy(place);
        dots[k].scale.setScalar(tall);
        position.setXYZ(k, ...place);
      });
      position.needsUpdate = true;
      line.material.color.set(INK[theme].line);
      const from = places[Math.floor(mark.at)];
      label.object.position.copy(from).lerp(places[Math.ceil(mark.at)], mark.at % 1);
      label.set(mark.text(), INK[theme]);
      label.fit(this.#view);
    }
  }

  dispose() {
    disposeAll(this.#object);
    this.#object.removeFromParent();
    this.#disc.dispose();
  }
}
