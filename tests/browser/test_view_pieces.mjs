// Parts of the view that need no browser: the controller of its resolution, the plane that cuts, places on surfaces,
// files that are saved.
import assert from 'node:assert/strict';
import test from 'node:test';
import * as THREE from '../../web/node_modules/three/build/three.module.js';
import { stampedName } from '../../web/text/stamped_name.js';
import { ClipPlane } from '../../web/view/clip_plane.js';
import { glb } from '../../web/view/glb.js';
import { angleAt } from '../../web/view/measure.js';
import { Motion } from '../../web/view/motion.js';
import { Resolution } from '../../web/view/resolution.js';
import { nearestTriangle } from '../../web/view/surface_point.js';
import { videoKind } from '../../web/view/video.js';
import { parseGlb } from './glb_file.mjs';

const LIMITS = { slow: 0.024, fast: 0.0185 };
const VSYNC = 1 / 60;

/** Shows so many seconds of motion on a card that needs `cost(share)` s for a picture; the shares that were drawn. */
function play(resolution, seconds, cost, { vsync = VSYNC } = {}) {
  const shares = [];
  for (let time = 0; time < seconds; ) {
    const took = vsync * Math.max(1, Math.ceil(cost(resolution.share) / vsync - 1e-9));
    resolution.pass(took, true);
    resolution.drew(took);
    shares.push(resolution.share);
    time += took;
  }
  return shares;
}
const changes = (shares) => shares.filter((share, k) => k > 0 && share !== shares[k - 1]).length;

test('a fast machine draws every pixel', () => {
  const resolution = new Resolution(LIMITS);
  assert.deepEqual(new Set(play(resolution, 60, () => 0.008)), new Set([1]));
  assert.equal(resolution.ratio(2), 2);
});

test('a slow one draws fewer, settles, and seldom tries more', () => {
  const resolution = new Resolution(LIMITS);
  const cost = (share) => 0.004 + 0.04 * share * share; // 44 ms in full, within 17 ms from 0.5 on
  const begin = play(resolution, 5, cost);
  assert.equal(begin.at(-1), 0.5);
  assert.ok(begin.every((share, k) => k === 0 || share <= begin[k - 1]), 'it goes down and stays there');
  // Tries become rarer: as many in the last five minutes as wait 64 s.
  const later = play(resolution, 300, cost);
  assert.ok(later.filter((share) => share === 0.5).length > 0.8 * later.length, `${changes(later)} changes`);
  const last = play(resolution, 300, cost);
  assert.ok(changes(last) <= 12, `${changes(last)} changes in five minutes`);
});

test('what became fast again becomes sharp again', () => {
  const resolution = new Resolution(LIMITS);
  assert.ok(play(resolution, 5, (share) => 0.06 * share * share).at(-1) < 1);
  assert.equal(play(resolution, 60, () => 0.008).at(-1), 1);
});

test('where pixels are not what costs, all of them are drawn', () => {
  const resolution = new Resolution(LIMITS);
  const shares = play(resolution, 120, () => 0.033);
  assert.equal(shares.at(-1), 1);
  assert.deepEqual(new Set(play(resolution, 300, () => 0.033)), new Set([1]), 'and it does not try again');
});

test('a picture in which nothing moves has every pixel, and what changes now and then too', () => {
  const resolution = new Resolution(LIMITS);
  play(resolution, 3, (share) => 0.05 * share * share);
  assert.ok(resolution.share < 1);
  for (let time = 0; time < 0.25; time += VSYNC) resolution.pass(VSYNC, false);
  assert.ok(resolution.share < 1, 'a pause of a few pictures is none');
  for (let time = 0; time < 0.2; time += VSYNC) resolution.pass(VSYNC, false);
  assert.equal(resolution.share, 1);
  for (let k = 0; k < 20; ++k) {
    for (let time = 0; time < 0.5; time += VSYNC) resolution.pass(VSYNC, time === 0);
    assert.equal(resolution.share, 1, 'it does not flicker');
  }
  play(resolution, 0.2, () => 0.01);
  assert.ok(resolution.share < 1, 'motion takes up where it was');
});

test('a quality that a person chose stays, and pixels are never larger than two of the page', () => {
  const fixed = new Resolution({ ...LIMITS, adapts: false });
  assert.deepEqual(new Set(play(fixed, 20, () => 0.2)), new Set([1]));
  const resolution = new Resolution(LIMITS);
  play(resolution, 20, (share) => 0.02 + 0.1 * share * share);
  assert.ok(resolution.share < 0.8);
  assert.equal(resolution.ratio(2), 2 * resolution.share);
  assert.equal(resolution.ratio(0.6), 0.5);
  assert.equal(resolution.ratio(0.4), 0.4);
});

test('frames that repeat the last one do not move', () => {
  const tool = { position: [0, 0, 0], force: Float32Array.of(1, 2, 0), state: 0, led: false };
  const limits = { tools: [{ given: 1, force: false }] };
  const contact = { place: [0, 0, 0], normal: [0, 0, 1], force: Float32Array.of(0, 0, 1), state: 1 };
  const values = new Int16Array(4000).fill(3);
  const frame = {
    tools: [tool],
    surfaces: [{ body: 0, scale: 1, values }],
    coordinates: [{ model: 0, values: Float32Array.of(1, 2, 3) }],
    poses: [{ body: 1, values: [0, 0, 0, 1, 0, 0, 0] }],
    fields: [{ body: 0, kind: 1, scale: 1, values: new Uint16Array(5) }, { body: 0, kind: 2, scale: 1, values: new Uint16Array(5).fill(7) }],
    pairs: [{ pair: 0, points: Float32Array.of(1, 2, 3, 4) }],
    contacts: [contact],
    loads: [{ body: 0, beyond: false, place: [0, 0, 0], force: [0, 0, 1] }],
    limits,
  };
  const motion = new Motion();
  assert.equal(motion.in(frame), true);
  assert.equal(motion.in(structuredClone(frame)), false);
  assert.equal(motion.in({ ...frame, surfaces: [], contacts: null, limits: null }), false, 'what rests comes now and then');
  for (const [what, changed] of Object.entries({
    'a position': { tools: [{ ...tool, position: [1e-6, 0, 0] }] },
    'two signs': { tools: [{ ...tool, force: Float32Array.of(-1, -2, 0) }] },
    'a state': { tools: [{ ...tool, state: 1 }] },
    'a flag': { tools: [{ ...tool, led: true }] },
    'one vertex': { surfaces: [{ body: 0, scale: 1, values: Int16Array.from(values, (x, i) => x + (i === 1234)) }] },
    'a scale': { surfaces: [{ body: 0, scale: 1.01, values }] },
    'a coordinate': { coordinates: [{ model: 0, values: Float32Array.of(1, 2, 3.5) }] },
    'a pose': { poses: [{ body: 1, values: [0, 0, 0, 0, 1, 0, 0] }] },
    'one field of two': { fields: [{ body: 0, kind: 2, scale: 1, values: new Uint16Array(5).fill(8) }] },
    'a touching point': { pairs: [{ pair: 0, points: new Float32Array(0) }] },
    'a contact': { contacts: [] },
    'a load': { loads: [] },
    'a limit': { limits: { tools: [{ given: 1, force: true }] } },
  })) {
    assert.equal(motion.in({ ...frame, ...changed }), true, what);
    assert.equal(motion.in({ ...frame, ...changed }), false, `${what}, again`);
    motion.in(frame);
  }
});

const centre = new THREE.Vector3(0.1, 0.2, 0.3);
const cuts = (clip, point) => {
  const { x, y, z, w } = clip.uniforms.tacClip.value;
  return x * point.x + y * point.y + z * point.z + w < 0;
};

test('a plane cuts off what is beyond it, and flipped what is before', () => {
  const clip = new ClipPlane();
  clip.reset({ centre, radius: 0.05, unit: 0.05 });
  for (const axis of ['x', 'y', 'z']) {
    const before = centre.clone().setComponent('xyz'.indexOf(axis), centre[axis] + 0.009);
    const beyond = centre.clone().setComponent('xyz'.indexOf(axis), centre[axis] + 0.011);
    clip.set({ on: false, across: axis, flipped: false });
    assert.ok(!cuts(clip, before) && !cuts(clip, beyond), 'off');
    clip.set({ on: true, place: centre[axis] + 0.01 });
    assert.ok(!cuts(clip, before) && cuts(clip, beyond), axis);
    clip.set({ flipped: true });
    assert.ok(cuts(clip, before) && !cuts(clip, beyond), `${axis}, flipped`);
    assert.ok(Math.abs(clip.middle[axis] - centre[axis] - 0.01) < 1e-12);
  }
  clip.set({ across: 'z', place: 7 });
  assert.equal(clip.place, clip.range[1]);
  clip.set({ place: NaN, across: 'w', turn: 'east' });
  assert.deepEqual([clip.place, clip.across], [clip.range[1], 'z']);
});

test('a free plane faces a direction, turns about its middle, and is kept', () => {
  const clip = new ClipPlane();
  clip.reset({ centre, radius: 0.05, unit: 0.05 });
  const towards = new THREE.Vector3(1, -2, 3).normalize();
  clip.face(towards);
  clip.set({ on: true });
  assert.ok(clip.normal.distanceTo(towards) < 1e-12);
  assert.ok(clip.middle.distanceTo(centre) < 1e-12);
  assert.ok(cuts(clip, centre.clone().addScaledVector(towards, 1e-3)));
  assert.ok(!cuts(clip, centre.clone().addScaledVector(towards, -1e-3)));
  clip.set({ place: clip.place + 0.02 });
  const { middle } = clip;
  clip.set({ turn: 2, tilt: 0.3 });
  assert.ok(Math.abs(clip.normal.dot(middle) - clip.place) < 1e-12, 'the middle stays on it');
  const kept = JSON.parse(JSON.stringify(clip.choice));
  const again = new ClipPlane();
  again.reset({ centre, radius: 0.05, unit: 0.05 });
  again.set({ across: kept.across, turn: kept.turn, tilt: kept.tilt });
  again.set(kept);
  const [wanted, got] = [clip, again].map(({ uniforms }) => uniforms.tacClip.value.toArray());
  assert.ok(Math.hypot(...wanted.map((value, k) => value - got[k])) < 1e-12);
});

test('the triangle next to a point is that of all of them', () => {
  const random = (() => {
    let state = 1;
    return () => (state = (state * 48271) % 2147483647) / 2147483647;
  })();
  const rest = Float32Array.from({ length: 3 * 200 }, random);
  const triangles = Uint32Array.from({ length: 3 * 300 }, () => Math.floor(200 * random()));
  triangles.set([5, 5, 9], 0); // one without an area
  const corner = (vertex) => new THREE.Vector3().fromArray(rest, 3 * vertex);
  for (let k = 0; k < 50; ++k) {
    const point = new THREE.Vector3(random(), random(), random());
    const { vertices, shares } = nearestTriangle(rest, triangles, point);
    const found = new THREE.Vector3();
    vertices.forEach((vertex, i) => found.addScaledVector(corner(vertex), shares[i]));
    assert.ok(shares.every((share) => share > -1e-9) && Math.abs(shares[0] + shares[1] + shares[2] - 1) < 1e-9);
    let least = Infinity;
    for (let t = 0; t < triangles.length; t += 3) {
      const triangle = new THREE.Triangle(...[0, 1, 2].map((i) => corner(triangles[t + i])));
      if (triangle.getArea() === 0) continue;
      least = Math.min(least, triangle.closestPointToPoint(point, new THREE.Vector3()).distanceTo(point));
    }
    assert.ok(Math.abs(found.distanceTo(point) - least) < 1e-6, `${found.distanceTo(point)} instead of ${least}`);
  }
  assert.equal(nearestTriangle(rest, new Uint32Array(0), centre), null);
});

test('the angle is that at the second point', () => {
  const at = (x, y, z) => new THREE.Vector3(x, y, z);
  assert.ok(Math.abs(angleAt(at(1, 0, 0), at(0, 0, 0), at(0, 2, 0)) - 90) < 1e-12);
  assert.ok(Math.abs(angleAt(at(3, 1, 1), at(1, 1, 1), at(2, 1, 1))) < 1e-12);
  assert.ok(Math.abs(angleAt(at(3, 1, 1), at(1, 1, 1), at(-2, 1, 1)) - 180) < 1e-12);
});

test('a glTF file holds what was put into it, in the frame of the world with z up', () => {
  const shape = {
    name: 'wedge',
    positions: Float32Array.of(0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3),
    normals: Float32Array.of(0, 0, -1, 1, 0, 0, 0, 1, 0, 0, 0, 1),
    colours: Uint16Array.from({ length: 16 }, (_, i) => 4000 * i),
    triangles: Uint32Array.of(0, 2, 1, 0, 1, 3, 0, 3, 2),
  };
  const { json, meshes } = parseGlb(new Uint8Array(glb('scene', [shape, { ...shape, name: 'ä' }])));
  assert.deepEqual(meshes.map(({ name }) => name), ['wedge', 'ä']);
  for (const mesh of meshes) {
    for (const key of ['positions', 'normals', 'colours', 'triangles']) assert.deepEqual(mesh[key], shape[key], key);
    assert.deepEqual([mesh.min, mesh.max], [[0, 0, 0], [1, 2, 3]]);
  }
  const root = json.nodes[json.scenes[json.scene].nodes[0]];
  assert.deepEqual(root.children.map((k) => json.nodes[k].mesh), [0, 1]);
  const up = new THREE.Vector3(0, 0, 1).applyQuaternion(new THREE.Quaternion(...root.rotation));
  assert.ok(up.distanceTo(new THREE.Vector3(0, 1, 0)) < 1e-12);
  assert.deepEqual(parseGlb(new Uint8Array(glb('nothing', []))).meshes, []);
});

test('files are named by scene and time, and videos by what the browser writes', () => {
  assert.equal(stampedName('kidney', new Date(2026, 1, 3, 4, 5, 6)), 'kidney-2026-02-03-040506');
  assert.equal(stampedName(undefined, new Date(2026, 10, 13, 14, 15, 16)), 'tactus-2026-11-13-141516');
  assert.equal(videoKind(() => false), null);
  assert.equal(videoKind(() => true).ending, 'mp4');
  assert.deepEqual(videoKind((type) => type.startsWith('video/webm')), { type: 'video/webm;codecs=vp9', ending: 'webm' });
});
