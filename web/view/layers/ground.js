import * as THREE from 'three';
import { registerLayer } from '../layers.js';
import { disposeAll } from '../xray.js';

const EXTENT = 5; // radii of the scene

const GRID = {
  vertex: /* glsl */ `
varying vec2 at;
uniform vec2 middle;
void main() {
  at = middle + position.xy;
  gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
}`,
  fragment: /* glsl */ `
varying vec2 at;
uniform vec3 colour;
uniform vec2 middle;
uniform float opacity;
uniform float cell;
uniform float reach;
float lines(float size) {
  vec2 x = at / size;
  vec2 wide = fwidth(x);
  vec2 near = abs(fract(x - 0.5) - 0.5) / wide;
  // Lines that come closer than a few pixels fade away.
  return (1.0 - smoothstep(0.3, 1.1, min(near.x, near.y))) * (1.0 - smoothstep(0.15, 0.4, max(wide.x, wide.y)));
}
void main() {
  float fade = 1.0 - smoothstep(0.15, 1.0, length(at - middle) / reach);
  float line = max(0.45 * lines(cell), lines(5.0 * cell));
  gl_FragColor = vec4(colour, opacity * line * fade);
  #include <colorspace_fragment>
}`,
};

/** 1, 2 or 5 times a power of ten, in metres, about a tenth of the scene. */
function cellSize(radius) {
  const power = 10 ** Math.floor(Math.log10(0.2 * radius));
  return power * ([5, 2, 1].find((step) => step * power <= 0.2 * radius) ?? 1);
}

/** Shadow and a faint grid below the bodies, or on the floor where the scene has one. */
class GroundLayer {
  constructor(view) {
    this.view = view;
    const { floor } = view.world;
    this.normal = new THREE.Vector3().fromArray(floor?.normal ?? [0, 0, 1]);
    this.turn = new THREE.Quaternion().setFromUnitVectors(new THREE.Vector3(0, 0, 1), this.normal);
    const plane = new THREE.PlaneGeometry(2 * EXTENT * view.radius, 2 * EXTENT * view.radius);
    // Lines count from the origin of the world, in the plane.
    const centre = view.centre.clone().applyQuaternion(this.turn.clone().invert());
    const middle = { value: new THREE.Vector2(centre.x, centre.y) };
    const reach = { value: 0.62 * EXTENT * view.radius };
    const shadow = new THREE.ShadowMaterial({ depthWrite: false });
    shadow.onBeforeCompile = (shader) => {
      Object.assign(shader.uniforms, { middle, reach });
      shader.vertexShader = `varying vec2 floorAt;\nuniform vec2 middle;\n${shader.vertexShader}`.replace(
        '#include <fog_vertex>',
        '#include <fog_vertex>\nfloorAt = middle + position.xy;',
      );
      shader.fragmentShader =
        `varying vec2 floorAt;\nuniform vec2 middle;\nuniform float reach;\n${shader.fragmentShader}`.replace(
          '#include <fog_fragment>',
          'gl_FragColor.a *= 1.0 - smoothstep(0.2, 0.75, length(floorAt - middle) / reach);\n#include <fog_fragment>',
        );
    };
    this.grid = new THREE.Mesh(
      plane,
      new THREE.ShaderMaterial({
        vertexShader: GRID.vertex,
        fragmentShader: GRID.fragment,
        transparent: true,
        depthWrite: false,
        uniforms: {
          colour: { value: new THREE.Color() },
          opacity: { value: 0 },
          cell: { value: cellSize(view.radius) },
          middle,
          reach,
        },
      }),
    );
    this.shadow = new THREE.Mesh(plane, shadow);
    this.shadow.receiveShadow = true;
    this.shadow.renderOrder = -20;
    this.grid.renderOrder = -19;
    this.object = new THREE.Group().add(this.shadow, this.grid);
    this.object.quaternion.copy(this.turn);
    this.#place(floor ? floor.offset : this.normal.dot(view.centre) - view.radius);
  }

  /** Below the middle of the scene. @param {number} offset m, along the normal */
  #place(offset) {
    const { centre } = this.view;
    this.object.position.copy(centre).addScaledVector(this.normal, offset - this.normal.dot(centre));
  }

  body() {
    if (!this.view.world.floor) this.#place(this.view.floor - 0.02 * this.view.radius);
  }

  theme() {
    const { shadow, grid, gridOpacity } = this.view.look;
    this.shadow.material.opacity = shadow;
    this.grid.material.uniforms.colour.value.set(grid);
    // What stops bodies is seen better than what only helps the eye.
    this.grid.material.uniforms.opacity.value = this.view.world.floor ? 2 * gridOpacity : gridOpacity;
  }

  dispose() {
    disposeAll(this.object);
  }
}

registerLayer({
  id: 'ground',
  label: 'Ground',
  hint: 'Shadow and a grid below: lines every 10 mm, bold ones every 50 mm, or scaled to the scene',
  enabled: true,
  create: (view) => new GroundLayer(view),
});
