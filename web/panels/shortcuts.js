/**
 * Keys of the page, wherever the focus is; the view's own keys (pointer.js) come first where it has the focus.
 * @typedef {{key: string, what: string, act: () => void, label?: string, always?: boolean}} Shortcut
 *   `always`: without a scene too
 */
export class Shortcuts {
  /** @param {Shortcut[]} list @param {() => boolean} busy where only what is `always` there may be done */
  constructor(list, busy) {
    this.list = list;
    document.addEventListener('keydown', (event) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || types(event)) return;
      if (document.querySelector('dialog[open]')) return;
      const shortcut = list.find((each) => each.key === event.key.toLowerCase());
      if (!shortcut || (busy() && !shortcut.always)) return;
      event.preventDefault();
      shortcut.act();
    });
  }
}

/** Whether a key is for what is typed or chosen there. */
function types({ key, target }) {
  return target.matches?.(key.startsWith('Arrow') ? 'input, select' : 'input[type=number], select') ?? false;
}
