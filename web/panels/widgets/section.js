import { element } from './element.js';

function make(title, openFirst, children) {
  const kept = `tactus.section.${title}`;
  const other = openFirst ? 'closed' : 'open';
  const made = element(
    'details',
    { className: 'section', open: (localStorage.getItem(kept) === other) !== openFirst },
    element('summary', {}, element('h2', {}, title)),
    ...children,
  );
  made.addEventListener('toggle', () => {
    if (made.open === openFirst) localStorage.removeItem(kept);
    else localStorage.setItem(kept, other);
  });
  return made;
}

/** A part of a side panel that folds; whether it is open is remembered. */
export function section(title, ...children) {
  return make(title, true, children);
}

/** Likewise, but closed at first. */
export function foldedSection(title, ...children) {
  return make(title, false, children);
}
