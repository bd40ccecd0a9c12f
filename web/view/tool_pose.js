import * as THREE from 'three';

function matrix(position, [w, x, y, z]) {
  const turn = new THREE.Quaternion(x, y, z, w);
  if (!(turn.lengthSq() > 0)) turn.identity();
  return new THREE.Matrix4().makeRotationFromQuaternion(turn.normalize()).setPosition(...position);
}

/** Where the device holds a tool that holds a body. @param {import('../protocol/frame.js').Tool} tool */
export function devicePose(tool) {
  return matrix(tool.position, tool.orientation);
}

/** Where the device has an instrument through a trocar: it says the place, and how that lies follows. @param {import('../protocol/frame.js').Tool} tool */
export function handlePose(tool) {
  return matrix(tool.position, tool.proxyOrientation);
}

/** Where the body itself is held: its coupling pulls this to the device. @param {import('../protocol/frame.js').Tool} tool */
export function graspPose(tool) {
  return matrix(tool.proxy, tool.proxyOrientation);
}
