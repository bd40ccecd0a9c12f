/** "kidney-2026-11-17-101500": a file's name without its ending. @param {string|undefined} scene @param {Date} [now] */
export function stampedName(scene, now = new Date()) {
  const two = (value) => String(value).padStart(2, '0');
  const day = [now.getFullYear(), two(now.getMonth() + 1), two(now.getDate())].join('-');
  return `${scene ?? 'tactus'}-${day}-${two(now.getHours())}${two(now.getMinutes())}${two(now.getSeconds())}`;
}
