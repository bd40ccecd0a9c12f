import { element } from './widgets/element.js';

const texts = {
  lost: 'The program has ended or cannot be reached; trying again.',
  full: 'The program has reached its limit of open pages; trying again. Close one of them.',
  refused: 'The program has refused this page',
  still: 'The program does not respond',
  outdated: 'The program and this page have different versions. Reload the page.',
};

const at = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' });

/** What follows the text of a link: why, or since when. */
function more({ link, refusal, since }) {
  if (link === 'refused') return `: ${refusal || 'open the address that it printed'}.`;
  if (link === 'still') return ` since ${at.format(since)}. The page continues when it responds.`;
  return '';
}

/**
 * Says what is wrong with the connection, while something is.
 * @param {HTMLElement} host @param {import('../connection.js').Connection} connection
 * @param {HTMLElement[]} useless what does nothing without the program
 */
export function showLink(host, connection, useless) {
  let stalled = false;
  const show = () => {
    const text = texts[connection.link];
    for (const part of useless) part.inert = connection.link !== 'open';
    host.replaceChildren();
    if (connection.link === 'open' && stalled)
      host.append(element('p', {}, 'The servo loop has stalled: a device does not respond, or the processor is overloaded.'));
    if (!text) return;
    host.append(element('p', {}, text + more(connection)));
    if (connection.link === 'still') return;
    const outdated = connection.link === 'outdated';
    host.append(
      element(
        'button',
        { type: 'button', className: 'button text', onclick: () => (outdated ? location.reload() : connection.open()) },
        outdated ? 'Reload' : 'Try now',
      ),
    );
  };
  connection.addEventListener('link', show);
  connection.addEventListener('state', ({ detail: { servo } }) => {
    if (stalled === (servo?.stalled ?? false)) return;
    stalled = !stalled;
    show();
  });
  show();
}
