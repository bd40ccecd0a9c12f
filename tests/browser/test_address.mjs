// The address names what is shown: Back and Forward go between scenes, a reload stays, and a link opens its scene.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import {
  Program, closePage, command, endAll, makeFolder, openPage, run, source, startBrowser, until,
} from './browser.mjs';

const TOKEN = 'sesame-1234567890';
const folder = makeFolder('address');
/** What a page shows: "gallery", a scene's name, or that and its recording. */
const shown = (page) => page.evaluate(() => {
  const { phase, scene, replay } = tactus.state;
  if (phase === 'gallery') return 'gallery';
  if (phase === 'replaying') return `${scene.name} ${replay.file}`;
  return phase === 'running' ? scene.name : phase;
});
const query = (page) => page.evaluate(() => location.search);
const shows = async (page, what, search) => {
  await until(`${what} is shown, and ${search} is in the address`, async () =>
    (await shown(page)) === what && (await query(page)) === search);
};

test('the address and what is shown are one', async () => {
  const recorded = run('run', join(source, 'scenes/nodule.yaml'), '--fast', '--duration', '1', '-o', folder, '--no-report');
  assert.equal(recorded.status, 0, recorded.err);
  const program = await Program.start(['--token', TOKEN, '-o', folder]);
  const browser = await startBrowser();
  const small = { viewport: { width: 500, height: 400 }, deviceScaleFactor: 0.25 };
  assert.equal(program.url.searchParams.get('token'), TOKEN);
  const page = await openPage(browser, program.url, small);
  await shows(page, 'gallery', '?test='); // without the token, which is not to be shared

  await page.getByRole('button', { name: 'nodule', exact: true }).click();
  await shows(page, 'nodule', '?test=&scene=nodule');
  await command(page, 'open', { text: 'plank.yaml' });
  await shows(page, 'plank', '?test=&scene=plank');
  await page.goBack();
  await shows(page, 'nodule', '?test=&scene=nodule');
  await page.goBack();
  await shows(page, 'gallery', '?test=');
  await page.goForward();
  await shows(page, 'nodule', '?test=&scene=nodule');

  await command(page, 'replay', { text: 'run.tacrec' });
  await shows(page, 'nodule run.tacrec', '?test=&scene=nodule&replay=run.tacrec');
  await page.goBack();
  await shows(page, 'nodule', '?test=&scene=nodule');

  const { load } = await page.evaluate(() => tactus.state);
  await page.reload();
  await shows(page, 'nodule', '?test=&scene=nodule');
  assert.equal((await page.evaluate(() => tactus.state)).load, load, 'a reload loads nothing');

  const link = new URL(program.url);
  link.searchParams.set('scene', 'plank');
  const second = await openPage(browser, link, small);
  for (const each of [second, page]) await shows(each, 'plank', each === page ? '?test=&scene=plank' : '?scene=plank&test=');
  await closePage(second);

  const replay = new URL(program.url);
  replay.search = new URLSearchParams({ token: TOKEN, scene: 'nodule.yaml', replay: 'run.tacrec', test: '' });
  await page.goto(replay.href);
  await shows(page, 'nodule run.tacrec', '?scene=nodule&replay=run.tacrec&test=');
  replay.search = new URLSearchParams({ scene: 'nonsense', test: '' });
  await page.goto(replay.href);
  await until('what cannot be had is not in the address', async () => (await query(page)).includes('replay=run.tacrec'));

  await endAll(page, browser, program);
});
