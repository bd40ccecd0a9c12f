import * as THREE from 'three';
import { REQUEST } from '../../protocol/protocol.js';
import { registerLayer } from '../layers.js';
import { LEVEL_COLOURS, levelSwatches } from '../palette.js';

const ALL = 'all';

const VERTEX = /* glsl */ `
attribute vec4 ball;  // centre and radius, m
attribute vec2 about; // level, opened
uniform vec3 tacColours[12];
uniform float tacPixels;
varying vec2 at;
varying float pixels; // of the radius
varying vec3 ink;
varying float opened;
void main() {
  vec4 seen = viewMatrix * vec4(ball.xyz, 1.0);
  float perPixel = -2.0 * seen.z / (tacPixels * projectionMatrix[1][1]); // m
  float radius = max(ball.w, 2.0 * perPixel);
  pixels = radius / perPixel;
  seen.xy += position.xy * (radius + perPixel);
  at = position.xy * (radius + perPixel) / radius;
  ink = tacColours[int(about.x + 0.5)];
  opened = about.y;
  gl_Position = projectionMatrix * seen;
}`;

const FRAGMENT = /* glsl */ `
varying vec2 at;
varying float pixels;
varying vec3 ink;
varying float opened;
void main() {
  float away = (length(at) - 1.0) * pixels; // pixels outside
  float ring = 1.0 - smoothstep(0.4, 1.3, abs(away + 0.6));
  float inside = 1.0 - smoothstep(-1.0, 0.0, away);
  float alpha = max(ring * mix(0.25, 0.95, opened), inside * mix(0.02, 0.1, opened));
  if (pixels < 3.0) alpha = 0.9 * inside; // a single point
  if (alpha < 0.01) discard;
  gl_FragColor = vec4(ink, alpha);
  #include <colorspace_fragment>
}`;

/** Balls around the nodes that the traversal of a pair meets in this moment. */
class BallLayer {
  #geometry = new THREE.InstancedBufferGeometry();
  #room = 0;
  #level = ALL;
  #pairs = [];
  #uniforms = {
    tacColours: { value: LEVEL_COLOURS.map((colour) => new THREE.Color(colour)) },
    tacPixels: { value: 1 },
  };

  constructor(view) {
    this.view = view;
    const corners = [-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0];
    this.#geometry.setAttribute('position', new THREE.Float32BufferAttribute(corners, 3));
    this.#geometry.setIndex([0, 1, 2, 0, 2, 3]);
    this.#geometry.instanceCount = 0;
    this.object = new THREE.Mesh(
      this.#geometry,
      new THREE.ShaderMaterial({
        vertexShader: VERTEX,
        fragmentShader: FRAGMENT,
        uniforms: this.#uniforms,
        transparent: true,
        depthTest: false,
        depthWrite: false,
      }),
    );
    this.object.frustumCulled = false;
    this.object.renderOrder = 30;
    const bodies = view.world.bodies.filter((body) => body.shell);
    this.levels = Math.max(0, ...bodies.map((body) => body.shell.sizes.length));
    this.settings = [
      {
        label: 'Balls of level',
        options: [[ALL, 'all'], ...Array.from({ length: this.levels }, (_, level) => [String(level), String(level)])],
        get: () => this.#level,
        set: (level) => {
          this.#level = level;
          this.#fill();
        },
      },
    ];
  }

  available(scene) {
    return scene.pairs?.length > 0 || 'no bodies of this scene are in distributed contact';
  }

  frame({ pairs }) {
    this.#pairs = pairs;
    this.#fill();
  }

  #reserve(count) {
    if (count <= this.#room) return;
    this.#room = Math.max(1024, 2 ** Math.ceil(Math.log2(count)));
    this.#geometry.dispose(); // the old buffers
    const attribute = (size) =>
      new THREE.InstancedBufferAttribute(new Float32Array(size * this.#room), size).setUsage(THREE.DynamicDrawUsage);
    this.#geometry.setAttribute('ball', attribute(4));
    this.#geometry.setAttribute('about', attribute(2));
  }

  #fill() {
    this.#reserve(this.#pairs.reduce((sum, pair) => sum + pair.ballCount, 1));
    const { ball, about } = this.#geometry.attributes;
    const wanted = this.#level === ALL ? -1 : +this.#level;
    let count = 0;
    for (const { balls, ballCount } of this.#pairs) {
      for (let i = 0; i < ballCount; ++i) {
        const level = balls.getUint16(20 * i + 16, true);
        if (wanted >= 0 && level !== wanted) continue;
        for (let k = 0; k < 4; ++k) ball.array[4 * count + k] = balls.getFloat32(20 * i + 4 * k, true);
        about.array[2 * count] = Math.min(level, LEVEL_COLOURS.length - 1);
        about.array[2 * count + 1] = balls.getUint16(20 * i + 18, true);
        ++count;
      }
    }
    this.#geometry.instanceCount = count;
    ball.needsUpdate = about.needsUpdate = true;
    this.view.invalidate();
  }

  update() {
    this.#uniforms.tacPixels.value = this.view.renderer.getContext().drawingBufferHeight;
    return false;
  }

  theme() {
    const label = 'Balls, by level; pale: not opened';
    const swatches = levelSwatches(this.levels);
    this.view.legend('balls', this.view.shows('balls') ? { label, swatches } : null);
  }

  dispose() {
    this.view.legend('balls', null);
    this.#geometry.dispose();
    this.object.material.dispose();
  }
}

registerLayer({
  id: 'balls',
  label: 'Balls visited',
  hint: 'Balls of the point tree that the contact search visits now; pale ones were not opened',
  enabled: false,
  touch: true,
  requests: REQUEST.balls,
  create: (view) => new BallLayer(view),
});
