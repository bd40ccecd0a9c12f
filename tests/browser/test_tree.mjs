// The tree of bodies, tools and contacts: selection there and in the view, what is shown and hidden, what is known of each.
import assert from 'node:assert/strict';
import test from 'node:test';
import { Program, endAll, openPage, openScene, shoot, startBrowser, until } from './browser.mjs';
import { overflows } from './overflow.mjs';

const item = (page, name) => page.getByRole('treeitem', { name, exact: true });
const chosen = (page) => page.evaluate(() =>
  [...document.querySelectorAll('[role=treeitem][aria-selected=true]')].map((each) => each.getAttribute('aria-label')));
const looks = (page) => page.evaluate(() => tactus.state.scene.bodies.map((_, body) => {
  const { visible, pale, selected } = tactus.view.looks.get(body);
  return (visible ? (pale ? 'pale' : 'shown') : 'hidden') + (selected ? ' selected' : '');
}));
const property = (page, label) => page.evaluate((label) => {
  const term = [...document.querySelectorAll('[aria-label=Properties] dt')].find((each) => each.textContent === label);
  return term?.nextElementSibling.textContent ?? null;
}, label);
/** The pixel of the canvas at which the middle of a body is seen, and the body that is picked there. */
const picked = (page, body) => page.evaluate((body) => {
  const { view } = tactus;
  const surface = view.surface(body);
  const centre = surface.geometry.boundingBox.getCenter(view.centre.clone()).applyMatrix4(surface.frameOf(body));
  const { x, y } = view.project(centre);
  return { x, y, body: view.pick(x, y)?.body ?? null };
}, body);

test('bodies, tools and contacts are found, selected, hidden and described', async () => {
  const program = await Program.start();
  const browser = await startBrowser();
  const page = await openPage(browser, program.url, { viewport: { width: 1000, height: 640 }, deviceScaleFactor: 0.25 });
  await openScene(page, 'blocks');
  // Bodies that deform are coloured by how far, until a person chooses; what one chose is remembered.
  const colour = page.getByRole('combobox', { name: 'Colour' });
  assert.equal(await page.evaluate(() => tactus.view.colour), 'displacement');
  await page.locator('.legends').getByText('Displacement').waitFor();
  await colour.selectOption('plain');
  assert.equal(await page.evaluate(() => localStorage.getItem('tactus.colour')), 'plain');

  const names = await page.evaluate(() => tactus.state.scene.bodies.map((body) => body.name));
  assert.equal(names.length, 3);
  assert.equal(await page.getByRole('tree').count(), 1);
  await item(page, names[0]).locator('.twig').click();
  assert.deepEqual(await chosen(page), [names[0]]);
  assert.deepEqual(await looks(page), ['shown selected', 'shown', 'shown']);
  const { vertices, young } = await page.evaluate(() => tactus.state.scene.bodies[0]);
  assert.equal(await property(page, 'Vertices'), vertices.toLocaleString('en'));
  assert.equal(parseFloat(await property(page, "Young's modulus")), young / (young >= 1e6 ? 1e6 : 1e3));

  // In the view: Alt and a click, or a double click.
  const box = await page.locator('#view canvas').boundingBox();
  const top = await picked(page, 2);
  assert.equal(top.body, 2);
  await page.keyboard.down('Alt');
  await page.mouse.click(box.x + top.x, box.y + top.y);
  await page.keyboard.up('Alt');
  assert.deepEqual(await chosen(page), [names[2]]);
  assert.equal(await page.evaluate(() => tactus.hand.touching), false, 'a selection touches nothing');
  const low = await picked(page, 0);
  await page.mouse.dblclick(box.x + low.x, box.y + low.y);
  await until('a double click selects', async () => (await chosen(page))[0] === names[low.body]);

  // What is hidden is not picked; alone, all others are hidden.
  await page.getByRole('button', { name: `Hide ${names[2]}`, exact: true }).click();
  assert.deepEqual((await looks(page)).map((look) => look.split(' ')[0]), ['shown', 'shown', 'hidden']);
  assert.notEqual((await picked(page, 2)).body, 2);
  await page.getByRole('button', { name: `Show ${names[2]}`, exact: true }).click();
  assert.equal((await picked(page, 2)).body, 2);
  await item(page, names[1]).locator('.twig').click();
  await page.getByRole('radio', { name: 'Clear', exact: true }).check({ force: true });
  assert.deepEqual(await looks(page), ['shown', 'pale selected', 'shown']);
  await page.getByRole('button', { name: 'Only this', exact: true }).click();
  assert.deepEqual(await looks(page), ['hidden', 'pale selected', 'hidden']);
  await shoot(page, 'tree-alone');
  await page.getByRole('button', { name: 'Show all', exact: true }).click();
  assert.deepEqual(await looks(page), ['shown', 'shown selected', 'shown']);

  // By keys alone: arrows, Enter, and letters for what is shown.
  await item(page, 'Bodies, 3').focus();
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown', 'Enter', 'h']) await page.keyboard.press(key);
  assert.deepEqual(await looks(page), ['shown', 'shown', 'hidden selected']);
  for (const key of ['h', 'x']) await page.keyboard.press(key);
  assert.deepEqual(await looks(page), ['shown', 'shown', 'pale selected']);
  for (const key of ['x', 'o', 'o', 'Escape']) await page.keyboard.press(key);
  assert.deepEqual(await looks(page), ['shown', 'shown', 'shown']);
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  assert.equal(await item(page, 'Bodies, 3').getAttribute('aria-expanded'), 'false');
  assert.equal(await item(page, names[0]).isVisible(), false);
  await page.keyboard.press('ArrowRight');
  assert.equal(await page.evaluate(() => document.querySelectorAll('[role=tree] [tabindex="0"]').length), 1, 'one stop of Tab');

  // A tool with its force, as the plots tell it.
  const tool = await page.evaluate(() => tactus.state.scene.tools[0]);
  await item(page, tool.name).locator('.twig').click();
  assert.equal(await property(page, 'Device'), tool.device);
  assert.equal(await property(page, 'Controlled by'), 'this page');
  assert.match(await property(page, 'Force on the hand'), /^[\d.]+ N$/);

  // A pair of bodies; on a phone, too.
  await page.setViewportSize({ width: 390, height: 844 });
  await openScene(page, 'thin-rod');
  assert.equal(await page.evaluate(() => tactus.view.colour), 'plain', 'what was chosen is remembered');
  await page.getByRole('button', { name: 'Controls', exact: true }).click();
  await item(page, 'tool on sheet').locator('.twig').click();
  assert.deepEqual(await looks(page), ['shown selected', 'shown selected']);
  const pair = await page.evaluate(() => tactus.state.scene.pairs[0]);
  assert.equal(parseFloat((await property(page, 'Stiffness')).replace(',', '')), pair.stiffness);
  assert.equal(parseFloat(await property(page, 'Friction')), pair.friction);
  await until('the number of touching points is shown', async () => /^\d/.test(await property(page, 'Points in contact')));
  assert.deepEqual(await page.evaluate(overflows), []);
  await shoot(page, 'tree-phone');
  await endAll(page, browser, program);
});
