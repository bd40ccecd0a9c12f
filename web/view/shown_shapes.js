import * as THREE from 'three';
import { COLOURS } from './colour_map.js';
import { BODY_COLOURS } from './palette.js';

const MOST = 65535;
const linear = COLOURS.map(([r, g, b]) => new THREE.Color().setRGB(r, g, b, THREE.SRGBColorSpace).toArray());

/** The colour of each vertex as the view shows it: by what is known of it, else the body's own. */
function coloursOf(view, surface, body) {
  const { colour, colouring } = view;
  const swings = surface.model !== undefined && view.shape?.model === surface.model;
  const known = surface.colours.has(colour) && (!swings || colour === 'displacement');
  const [least, most] = [colouring.tacColourLeast.value, colouring.tacColourMost.value];
  const plain = new THREE.Color(BODY_COLOURS[body % BODY_COLOURS.length]).toArray();
  const moved = new THREE.Vector3();
  const value = (vertex) =>
    colour === 'displacement'
      ? surface.displacement(body, vertex, moved).length()
      : (surface.field(colour, body, vertex) ?? least);
  const colours = new Uint16Array(4 * surface.count);
  for (let v = 0; v < surface.count; ++v) {
    const share = known ? Math.min(Math.max((value(v) - least) / (most - least), 0), 1) : 0;
    const shown = known ? linear[Math.round(share * (linear.length - 1))] : plain;
    colours.set([...shown.map((each) => Math.round(MOST * each)), MOST], 4 * v);
  }
  return colours;
}

/**
 * The bodies as they are shown now, deformed and coloured, in the world's frame; without those that are hidden.
 * @param {import('./view.js').View} view
 * @returns {import('./glb.js').Shape[]}
 */
export function shownShapes(view) {
  const shapes = [];
  const at = new THREE.Vector3();
  for (const surface of view.bodies.values()) {
    const { triangles } = surface.message;
    if (triangles.length === 0) continue;
    for (const body of surface.bodies.filter((each) => view.looks.get(each).visible)) {
      const positions = new Float32Array(3 * surface.count);
      const place = surface.placesOf(body);
      for (let v = 0; v < surface.count; ++v) place(v, at).toArray(positions, 3 * v);
      const geometry = new THREE.BufferGeometry();
      geometry.setAttribute('position', new THREE.BufferAttribute(positions, 3));
      geometry.setIndex(new THREE.BufferAttribute(triangles, 1));
      geometry.computeVertexNormals();
      const normals = geometry.attributes.normal.array;
      // A vertex of no triangle has none, and a file must have one.
      for (let v = 0; v < normals.length; v += 3) if (!(Math.hypot(...normals.subarray(v, v + 3)) > 0.5)) normals[v + 2] = 1;
      const name = view.world.bodies[body]?.name ?? `body ${body}`;
      shapes.push({ name, positions, normals, colours: coloursOf(view, surface, body), triangles });
    }
  }
  return shapes;
}
