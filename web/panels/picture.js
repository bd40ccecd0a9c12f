import { element } from './widgets/element.js';
import { theme } from './widgets/theme.js';

/**
 * The page as the program's draughtsman: draws the replayed moment once, sends the picture to the program, and shows
 * nothing but the view, a title and the scale.
 * @param {object} page
 * @param {URLSearchParams} query picture=WIDTHxHEIGHT, theme, colour
 * @param {HTMLElement} stage
 */
export function drawPicture(page, query, stage) {
  const { connection, view } = page;
  const [width, height] = query.get('picture').split('x').map(Number);
  theme.force(query.get('theme') === 'dark' ? 'dark' : 'light');
  document.body.classList.add('picture');
  view.colour = query.get('colour') ?? 'plain';
  const title = element('h1', { className: 'title' });
  stage.append(title);
  const bodies = new Set();
  let frames = 0;
  connection.addEventListener('state', () => (title.textContent = page.state.scene?.name ?? ''));
  for (const type of ['body', 'rigid']) connection.addEventListener(type, (event) => bodies.add(event.detail.body));
  connection.addEventListener('model', (event) => event.detail.bodies.forEach((body) => bodies.add(body)));
  connection.addEventListener('frame', () => {
    const { phase, scene } = page.state;
    // The third frame is complete: it is sent when the first was shown, and with that the page said what it requests.
    if (phase === 'replaying' && scene && bodies.size === scene.bodies.length && ++frames === 3) draw();
  });

  async function draw() {
    try {
      const picture = await view.screenshot(width, height);
      const answer = await fetch(connection.path('/picture'), { method: 'PUT', body: picture });
      if (!answer.ok) console.error(`the program rejected the picture: ${answer.status}`);
    } catch (error) {
      console.error(error);
    }
  }
}
