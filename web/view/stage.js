import * as THREE from 'three';

const THEMES = {
  dark: {
    top: 0x39424d,
    bottom: 0x14181d,
    sky: 0xd5e4f5,
    ground: 0x4a4038,
    environment: 0.62,
    shadow: 0.5,
    grid: 0xaebccb,
    gridOpacity: 0.16,
  },
  light: {
    top: 0xffffff,
    bottom: 0xd3dae1,
    sky: 0xffffff,
    ground: 0xa89c90,
    environment: 0.78,
    shadow: 0.26,
    grid: 0x51606e,
    gridOpacity: 0.16,
  },
};

const BACKGROUND = {
  vertex: /* glsl */ `
varying vec2 at;
void main() {
  at = position.xy;
  gl_Position = vec4(position.xy, 1.0, 1.0);
}`,
  // A little noise: eight bits alone would show bands.
  fragment: /* glsl */ `
varying vec2 at;
uniform vec3 top;
uniform vec3 bottom;
void main() {
  float away = length((at - vec2(0.0, 0.15)) * vec2(0.75, 0.85));
  vec3 colour = mix(top, bottom, smoothstep(0.0, 1.35, away));
  float noise = fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715)))) - 0.5;
  gl_FragColor = vec4(colour, 1.0);
  #include <colorspace_fragment>
  gl_FragColor.rgb += noise / 255.0;
}`,
};

/** Soft boxes in a grey room: what shiny things reflect. */
function studio() {
  const scene = new THREE.Scene();
  const light = (colour, strength) =>
    new THREE.MeshBasicMaterial({ color: new THREE.Color(colour).multiplyScalar(strength), side: THREE.DoubleSide });
  const room = new THREE.Mesh(
    new THREE.SphereGeometry(10, 32, 16),
    new THREE.MeshBasicMaterial({ vertexColors: true, side: THREE.BackSide }),
  );
  const { position } = room.geometry.attributes;
  const colours = new Float32Array(3 * position.count);
  const [low, high, colour] = [new THREE.Color(0x5a5048), new THREE.Color(0xaab6c4), new THREE.Color()];
  // z is up here as everywhere.
  room.geometry.rotateX(Math.PI / 2);
  for (let i = 0; i < position.count; ++i) {
    colour.lerpColors(low, high, THREE.MathUtils.smoothstep(position.getZ(i), -6, 7)).toArray(colours, 3 * i);
  }
  room.geometry.setAttribute('color', new THREE.BufferAttribute(colours, 3));
  scene.add(room);
  const panel = (width, height, place, colour, strength) => {
    const mesh = new THREE.Mesh(new THREE.PlaneGeometry(width, height), light(colour, strength));
    mesh.position.set(...place);
    mesh.lookAt(0, 0, 0);
    scene.add(mesh);
  };
  panel(8, 5, [-5, -5, 6], 0xfff4e8, 7); // key
  panel(4, 8, [8, -2, 2], 0xdfeaff, 3); // fill
  panel(7, 3, [1, 8, 5], 0xffffff, 5); // rim
  panel(6, 6, [0, 0, 9], 0xffffff, 2.5); // ceiling
  return scene;
}

/** Light, background and the ground with its shadow. */
export class Stage {
  #view;

  /** @param {import('./view.js').View} view */
  constructor(view) {
    this.#view = view;
    this.background = new THREE.Mesh(
      new THREE.PlaneGeometry(2, 2),
      new THREE.ShaderMaterial({
        vertexShader: BACKGROUND.vertex,
        fragmentShader: BACKGROUND.fragment,
        depthTest: false,
        depthWrite: false,
        uniforms: { top: { value: new THREE.Color() }, bottom: { value: new THREE.Color() } },
      }),
    );
    this.background.frustumCulled = false;
    this.background.renderOrder = -1000;
    this.hemisphere = new THREE.HemisphereLight();
    this.key = new THREE.DirectionalLight(0xfff3e6, 1.55);
    this.key.castShadow = true;
    this.key.shadow.mapSize.setScalar(view.quality.shadowMap);
    this.key.shadow.radius = view.quality.shadowMap / 400;
    this.fill = new THREE.DirectionalLight(0xe6efff, 0.45); // from the camera, so that no side is black
    view.scene.add(this.background, this.hemisphere, this.key, this.key.target, this.fill, this.fill.target);
    if (!view.quality.physical) view.renderer.shadowMap.type = THREE.BasicShadowMap;
    this.renewEnvironment();
  }

  /** Also after the graphics card lost everything. */
  renewEnvironment() {
    if (!this.#view.quality.environment) return;
    const generator = new THREE.PMREMGenerator(this.#view.renderer);
    const scene = studio();
    this.#view.scene.environment = generator.fromScene(scene, 0.03, 0.1, 30).texture;
    generator.dispose();
    scene.traverse((object) => {
      object.geometry?.dispose();
      object.material?.dispose();
    });
  }

  setTheme(name) {
    const theme = THEMES[name];
    this.theme = theme;
    this.background.material.uniforms.top.value.set(theme.top);
    this.background.material.uniforms.bottom.value.set(theme.bottom);
    this.hemisphere.color.set(theme.sky);
    this.hemisphere.groundColor.set(theme.ground);
    this.hemisphere.intensity = this.#view.quality.environment ? 0.35 : 2.1; // alone it stands for the studio
    this.#view.scene.environmentIntensity = theme.environment;
  }

  /**
   * Light over the viewer's left shoulder at home.
   * @param {THREE.Vector3} centre
   * @param {number} radius m
   * @param {number} azimuth of the camera at home
   */
  frame(centre, radius, azimuth) {
    const from = azimuth - 0.75;
    const up = 1.15;
    this.key.target.position.copy(centre);
    this.key.position
      .set(Math.cos(from), Math.sin(from), up)
      .normalize()
      .multiplyScalar(4 * radius)
      .add(centre);
    const { camera } = this.key.shadow;
    camera.left = camera.bottom = -2.2 * radius;
    camera.right = camera.top = 2.2 * radius;
    camera.near = 0.5 * radius;
    camera.far = 9 * radius;
    camera.updateProjectionMatrix();
    this.key.shadow.normalBias = 0.012 * radius;
    this.key.shadow.bias = -0.0006;
    // Panels of the studio turn with it.
    this.#view.scene.environmentRotation.set(0, 0, azimuth + Math.PI / 2);
    this.key.target.updateMatrixWorld();
  }

  update(camera, centre) {
    this.fill.position.copy(camera.position);
    this.fill.target.position.copy(centre);
  }
}
