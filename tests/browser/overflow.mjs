// What of a page does not fit: runs in the page.

/**
 * Every element of the page's panels, bars and cards that is wider than the room it has, every text that is cut, and every
 * element that sticks out of its panel. What scrolls may be wide, and a text may end in an ellipsis where a title has it whole.
 * @returns {string[]} one line each, without doubles
 */
export function overflows() {
  const found = new Set();
  const slack = 1; // px, of rounding
  const pen = document.createElement('canvas').getContext('2d');
  const roots = '.panel, .bar, .top, .stage-tools, .legends, .sheet, .error-estimate, .hint, .notices, dialog[open]';
  for (const root of document.querySelectorAll(roots)) {
    if (!root.checkVisibility()) continue;
    const panel = root.getBoundingClientRect();
    for (const each of [root, ...root.querySelectorAll('*')]) {
      if (!each.checkVisibility() || each.closest('svg, .uplot')) continue;
      const style = getComputedStyle(each);
      if (style.clipPath !== 'none') continue; // for the ear alone
      const name = `${each.tagName.toLowerCase()}.${each.className} "${String(each.value ?? each.textContent).slice(0, 40)}"`;
      const scrolls = /auto|scroll/.test(style.overflowX);
      if (!scrolls && style.display !== 'inline' && each.scrollWidth > each.clientWidth + slack) {
        const explained = style.textOverflow === 'ellipsis' && each.closest('[title]:not([title=""])');
        if (!explained) found.add(`${each.scrollWidth} px in ${each.clientWidth}: ${name}`);
      }
      if (each.matches('input[type=number], select')) {
        pen.font = style.font;
        const text = each.matches('select') ? (each.selectedOptions[0]?.text ?? '') : each.value || each.placeholder;
        const arrow = each.matches('select') ? 16 : 0; // px, that a browser draws at any size of text
        const room = each.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight) - arrow;
        if (pen.measureText(text).width > room + slack) found.add(`"${text}" is cut in ${room} px: ${name}`);
      }
      let holder = each.parentElement;
      while (holder !== root && holder && !/auto|scroll/.test(getComputedStyle(holder).overflowX)) holder = holder.parentElement;
      const box = each.getBoundingClientRect();
      const out = box.right > panel.right + slack || box.left < panel.left - slack;
      if (each !== root && holder === root && box.width > 0 && out && !each.closest('.menu'))
        found.add(`outside of its panel: ${name}`);
    }
  }
  return [...found];
}
