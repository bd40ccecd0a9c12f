import * as THREE from 'three';

/** How far a point may go up or down, m: a part of the way to what holds the body, less right above or below that. */
function swayOf(point, held, radius) {
  let [nearest, across] = [radius, radius];
  for (const hold of held) {
    const distance = point.distanceTo(hold);
    if (hold === held[0] || distance < nearest) {
      [nearest, across] = [distance, Math.hypot(point.x - hold.x, point.y - hold.y)];
    }
  }
  return 0.25 * Math.max(across, 0.3 * nearest);
}

/** The corners of a cube in a sphere. */
function corners(centre, radius) {
  const r = radius / Math.sqrt(3);
  return Array.from({ length: 8 }, (_, k) =>
    new THREE.Vector3(k & 1 ? r : -r, k & 2 ? r : -r, k & 4 ? r : -r).add(centre),
  );
}

/**
 * What is to be seen of the bodies at first, and from where: the side that is not held, or across the longer one.
 * @param {import('./drawn_surface.js').DrawnSurface[]} surfaces
 * @param {{centre: THREE.Vector3, radius: number, alone: boolean}} scene m; alone: whether it has one body
 * @returns {{points: THREE.Vector3[], azimuth: number, polar: number, floor: number, unit: number}} points that shall
 *   be in the picture; floor: the height of the ground, if the scene has none; unit: the size of a usual body, m
 */
export function homeView(surfaces, { centre, radius: sceneRadius, alone }) {
  const points = [];
  const box = new THREE.Box3();
  const [free, held] = [new THREE.Vector3(), new THREE.Vector3()];
  let [holds, seen, lowest] = [0, 0, Infinity];
  for (const { message, count, geometry, places, radius, shown } of surfaces) {
    const bends = shown === 'coordinates' && !message.free;
    const step = Math.max(1, Math.floor((count * places.length) / 400));
    for (const place of places) {
      box.union(geometry.boundingBox.clone().applyMatrix4(place));
      const at = (i) => new THREE.Vector3().fromArray(message.rest, 3 * i).applyMatrix4(place);
      const hold = [...message.fixed].map(at);
      const some = hold.filter((_, i) => i % Math.ceil(hold.length / 60) === 0);
      for (let i = 0; i < count; i += step) {
        const point = at(i);
        // What bends far shall stay in the picture.
        const sway = new THREE.Vector3(0, 0, bends ? swayOf(point, some, radius) : 0);
        points.push(point);
        if (bends) points.push(point.clone().sub(sway), point.clone().add(sway));
        lowest = Math.min(lowest, point.z - sway.z);
        free.add(point);
        ++seen;
      }
      for (const point of hold) held.add(point);
      holds += hold.length;
    }
  }
  if (points.length === 0) {
    points.push(...corners(centre, sceneRadius));
    box.setFromPoints(points);
  }
  const size = box.getSize(new THREE.Vector3());
  const flatness = 1 - Math.min(1, (2 * size.z) / Math.max(size.x, size.y));
  let azimuth = size.x >= size.y ? -1.05 : -0.52;
  if (holds > 0 && alone) {
    const front = free.divideScalar(seen).sub(held.divideScalar(holds));
    if (Math.hypot(front.x, front.y) > Math.max(0.3 * Math.abs(front.z), 0.1 * sceneRadius)) {
      azimuth = Math.atan2(front.y, front.x) - 0.7;
    }
  }
  const radii = surfaces.map((surface) => surface.radius).sort((a, b) => a - b);
  const unit = Math.min(sceneRadius, 1.1 * (radii[Math.floor(radii.length / 2)] ?? sceneRadius)) || 1;
  return { points, azimuth, polar: Math.PI / 2 - 0.38 - 0.35 * flatness, floor: Math.min(lowest, box.min.z), unit };
}
