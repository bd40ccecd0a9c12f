import { element } from './element.js';

const texts = {
  lost: 'The program has ended or cannot be reached; trying again.',
  full: 'The program has as many pages open as it serves; trying again. Close one of them.',
  refused: 'The program has refused this page',
  outdated: 'The program speaks another version than this page. Reload the page.',
};

/**
 * Says what is wrong with the connection, while something is.
 * @param {HTMLElement} host @param {import('../connection.js').Connection} connection
 * @param {HTMLElement[]} useless what does nothing without the program
 */
export function showLink(host, connection, useless) {
  const show = () => {
    const why = connection.link === 'refused' ? `: ${connection.refusal || 'open the address that it printed'}.` : '';
    const text = texts[connection.link];
    for (const part of useless) part.inert = connection.link !== 'open';
    host.replaceChildren();
    if (!text) return;
    const outdated = connection.link === 'outdated';
    host.append(
      element('p', {}, text + why),
      element(
        'button',
        { type: 'button', className: 'button text', onclick: () => (outdated ? location.reload() : connection.open()) },
        outdated ? 'Reload' : 'Try now',
      ),
    );
  };
  connection.addEventListener('link', show);
  show();
}
