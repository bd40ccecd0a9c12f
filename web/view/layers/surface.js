import * as THREE from 'three';
import { showLook } from '../body_look.js';
import { CutCap } from '../cut_cap.js';
import { registerLayer } from '../layers.js';

const LOADS = 5; // the shader's number of colours that mean a mode of loads
const UNLOADED = 'vec3(0.09)'; // where none acts

const VERTEX = /* glsl */ `
uniform int tacColourMode;
uniform float tacColourLeast;
uniform float tacColourMost;
uniform float tacUnit;
varying float tacValue;
varying float tacLoaded;
varying vec3 tacRest;
varying vec3 tacTint;`;

const FRAGMENT = /* glsl */ `
uniform int tacColourMode;
uniform sampler2D tacColourMap;
uniform sampler2D tacSignedMap;
varying float tacValue;
varying float tacLoaded;
varying vec3 tacRest;
varying vec3 tacTint;
#ifdef TAC_GRAIN
float tacHash(vec3 cell) {
  cell = fract(cell * 0.1031);
  cell += dot(cell, cell.zyx + 31.32);
  return fract((cell.x + cell.y) * cell.z);
}

// Noise between 0 and 1, smooth over a cell.
float tacNoise(vec3 at) {
  vec3 cell = floor(at);
  vec3 f = at - cell;
  f = f * f * (3.0 - 2.0 * f);
  vec2 o = vec2(0.0, 1.0);
  vec4 near = vec4(tacHash(cell), tacHash(cell + o.yxx), tacHash(cell + o.xyx), tacHash(cell + o.yyx));
  vec4 far = vec4(tacHash(cell + o.xxy), tacHash(cell + o.yxy), tacHash(cell + o.xyy), tacHash(cell + o.yyy));
  vec4 across = mix(near, far, f.z);
  vec2 along = mix(across.xz, across.yw, f.x);
  return mix(along.x, along.y, f.y);
}
#endif`;

// Colours that mean something are lit less, so that they stay those of the scale; lines at its eighths help the eye.
const MEANING = /* glsl */ `
diffuseColor.rgb *= tacTint;
if (tacColourMode > 0) {
  float value = clamp(tacValue, 0.0, 1.0);
  vec2 from = vec2((value * 255.0 + 0.5) / 256.0, 0.5);
  vec3 colour = tacColourMode == ${LOADS} ? texture2D(tacSignedMap, from).rgb : texture2D(tacColourMap, from).rgb;
  float eighths = 8.0 * tacValue;
  float wide = fwidth(eighths);
  float line = 1.0 - smoothstep(0.6, 1.4, abs(fract(eighths - 0.5) - 0.5) / max(wide, 1e-6));
  colour *= 1.0 - 0.22 * line * (1.0 - smoothstep(0.25, 0.5, wide)) * step(0.5, eighths) * step(eighths, 7.9);
  if (tacColourMode == ${LOADS}) colour = mix(${UNLOADED}, colour, tacLoaded);
  // What has hardly moved keeps the body's own colour: bodies at rest look as they are, and are told apart.
  float there = tacColourMode == 1 ? smoothstep(0.01, 0.1, value) : 1.0;
  diffuseColor.rgb = mix(diffuseColor.rgb, 0.72 * colour, there);
  totalEmissiveRadiance += 0.34 * there * colour;
}
#ifdef TAC_GRAIN
else {
  // A little uneven, as tissue is; it moves with the surface and shows how that stretches.
  float uneven = 0.6 * tacNoise(tacRest * 9.0) + 0.4 * tacNoise(tacRest * 28.0) - 0.5;
  diffuseColor.rgb *= 1.0 + 0.34 * uneven * vec3(0.75, 1.0, 1.05);
}
#endif`;

function colourBy(view, mode) {
  return (shader) => {
    Object.assign(shader.uniforms, view.colouring, { tacColourMode: mode, tacUnit: { value: view.unit } });
    shader.vertexShader = `${VERTEX}\n${shader.vertexShader}`.replace(
      'tacDeform();',
      `tacDeform();
// A field of another kind than the colours mean is on its way still.
float tacShown = tacColourMode == 1 ? length(tacAt - tacHome)
  : tacColourMode == 3 ? pressure * tacPressure
  : tacColourMode == tacFieldKind + 1 ? tacFieldValue : tacColourLeast;
tacValue = tacColourMode == ${LOADS} ? tacLoad.x
  : (tacShown - tacColourLeast) / (tacColourMost - tacColourLeast);
tacLoaded = tacLoad.y;
tacTint = tacColour;
tacRest = position / tacUnit;`,
    );
    shader.fragmentShader = `${FRAGMENT}\n${shader.fragmentShader}`.replace(
      '#include <emissivemap_fragment>',
      `#include <emissivemap_fragment>\n${MEANING}`,
    );
    showLook(shader, view);
  };
}

class SurfaceLayer {
  object = new THREE.Group();

  constructor(view) {
    this.view = view;
  }

  #material() {
    const common = { side: THREE.DoubleSide, polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1 };
    // Moist, like tissue.
    return this.view.quality.physical
      ? new THREE.MeshPhysicalMaterial({
          ...common,
          roughness: 0.52,
          metalness: 0,
          clearcoat: 0.32,
          clearcoatRoughness: 0.38,
        })
      : new THREE.MeshPhongMaterial({ ...common, specular: 0x2a2a2a, shininess: 28 });
  }

  body(surface) {
    const mode = { value: 0 };
    const material = surface.patch(this.#material(), 'surface', colourBy(this.view, mode));
    if (this.view.quality.physical) material.defines.TAC_GRAIN = '';
    const mesh = new THREE.Mesh(surface.geometry, material);
    const cap = new CutCap(this.view, surface);
    mesh.add(cap.object);
    Object.assign(mesh.userData, { mode, surface, cap });
    mesh.customDepthMaterial = surface.patch(new THREE.MeshDepthMaterial({ side: THREE.DoubleSide }), 'shadow');
    mesh.castShadow = !surface.coarse;
    mesh.receiveShadow = true;
    mesh.frustumCulled = false;
    mesh.name = surface.index;
    this.object.add(mesh);
  }

  theme() {
    const colour = this.view.colouring.tacColourMode.value;
    const bySize = [...this.object.children].sort((a, b) => b.userData.surface.radius - a.userData.surface.radius);
    for (const mesh of this.object.children) {
      const { material, userData } = mesh;
      const clear = this.view.clears(userData.surface);
      // What is not known of a body leaves it plain; fields are of the simulation, not of a shape that is shown instead.
      const { surface } = userData;
      const swings = surface.model !== undefined && this.view.shape?.model === surface.model;
      const known = surface.colours.has(this.view.colour) && !(swings && this.view.colour !== 'displacement');
      userData.mode.value = swings && this.view.shape.loads ? LOADS : known ? colour : 0;
      material.color.setScalar(this.view.dims(userData.surface) ? 0.22 : 1);
      if (material.transparent !== clear) material.needsUpdate = true;
      Object.assign(material, { transparent: clear, opacity: clear ? 0.3 : 1, depthWrite: !clear });
      material.side = clear ? THREE.FrontSide : THREE.DoubleSide;
      this.view.looks.patch(material, surface);
      userData.cap.object.visible = this.view.clip.on && !material.transparent;
      if (userData.cap.object.visible) userData.cap.show(bySize.indexOf(mesh));
    }
  }

  dispose() {
    for (const mesh of this.object.children) {
      mesh.material.dispose();
      mesh.customDepthMaterial.dispose();
      mesh.userData.cap.dispose();
    }
  }
}

registerLayer({
  id: 'surface',
  label: 'Surface',
  hint: 'The deformed surfaces of the bodies',
  enabled: true,
  create: (view) => new SurfaceLayer(view),
});
