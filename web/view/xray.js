import * as THREE from 'three';

/**
 * Lets a mesh shine faintly through what hides it: a child that is drawn only there.
 * @param {THREE.Mesh} mesh
 * @param {number} [opacity]
 * @returns {THREE.Mesh} the mesh
 */
export function xray(mesh, opacity = 0.22) {
  const material = new THREE.MeshBasicMaterial({
    color: mesh.material.color,
    transparent: true,
    opacity,
    depthFunc: THREE.GreaterDepth,
    depthWrite: false,
    toneMapped: false,
  });
  material.color = mesh.material.color; // one colour for both
  const shine = new THREE.Mesh(mesh.geometry, material);
  shine.renderOrder = 20;
  shine.frustumCulled = mesh.frustumCulled;
  mesh.add(shine);
  return mesh;
}

/** Frees what an object and all in it drew with. */
export function disposeAll(object) {
  object.traverse((each) => {
    each.geometry?.dispose();
    for (const material of [each.material, each.customDepthMaterial].flat()) {
      material?.map?.dispose();
      material?.dispose();
    }
    if (each.isInstancedMesh) each.dispose();
  });
}
