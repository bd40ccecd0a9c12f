import { element } from './element.js';

/** A part of a side panel that folds; whether it is open is remembered. */
export function section(title, ...children) {
  const kept = `tactus.section.${title}`;
  const made = element(
    'details',
    { className: 'section', open: localStorage.getItem(kept) !== 'closed' },
    element('summary', {}, element('h2', {}, title)),
    ...children,
  );
  made.addEventListener('toggle', () => {
    if (made.open) localStorage.removeItem(kept);
    else localStorage.setItem(kept, 'closed');
  });
  return made;
}
