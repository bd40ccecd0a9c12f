import { element } from './element.js';

/** Hands a file to the browser, which keeps it where it keeps downloads. @param {Blob} blob @param {string} name */
export function saveFile(blob, name) {
  const link = element('a', { href: URL.createObjectURL(blob) });
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

/** "kidney-2026-11-17-101500": a file's name without its ending. @param {string|undefined} scene @param {Date} [now] */
export function stampedName(scene, now = new Date()) {
  const two = (value) => String(value).padStart(2, '0');
  const day = [now.getFullYear(), two(now.getMonth() + 1), two(now.getDate())].join('-');
  return `${scene ?? 'tactus'}-${day}-${two(now.getHours())}${two(now.getMinutes())}${two(now.getSeconds())}`;
}
