/**
 * How long something will take, as one says it: "about 40 s", "about 3 min"; '' where that is not known.
 * Rounded, so that it does not pretend to know more, and does not change with every message.
 * @param {number} seconds negative: not known
 */
export function waitText(seconds) {
  if (!(seconds >= 0)) return '';
  if (seconds < 4) return 'a moment';
  if (seconds < 60) return `about ${seconds < 20 ? Math.round(seconds) : 5 * Math.round(seconds / 5)} s`;
  if (seconds < 5400) return `about ${Math.max(1, Math.round(seconds / 60))} min`;
  return `about ${Math.round(seconds / 3600)} h`;
}

/** The same of what is left: "about 40 s left", "a moment left". */
export function leftText(seconds) {
  const text = waitText(seconds);
  return text && `${text} left`;
}
