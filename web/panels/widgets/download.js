import { element } from './element.js';

/** Saves what is in a blob under a name, as the browser saves files. */
export function download(blob, name) {
  const link = element('a', { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}
