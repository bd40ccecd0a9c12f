// Nothing of the page is wider than its place, on small and large screens; words and controls suit what one points with.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { Program, all, closePage, openPage, openScene, shoot, startBrowser } from './browser.mjs';
import { overflows } from './overflow.mjs';

const PHONE = { width: 390, height: 844 };
const SIZES = { phone: PHONE, tablet: { width: 820, height: 1180 }, laptop: { width: 1280, height: 720 } };
const LAYERS = ['shell', 'balls', 'slice', 'isosurface', 'touching', 'laws'];
const DRAWERS = ['Controls', 'Plots and numbers'];
let browser, program;

before(async () => {
  browser = await startBrowser();
  program = await Program.start();
});
after(async () => {
  await program?.stop();
  await browser?.close();
});

/** The longest that number fields and values have to hold. */
function fill() {
  for (const field of document.querySelectorAll('input[type=number]')) field.value = '100000';
  for (const value of document.querySelectorAll('.plot .values b')) value.textContent = '−123.4';
}

/** Opens every section and what each layer lets one choose, and measures with each panel open. */
async function measure(page, name) {
  await page.evaluate((wanted) => {
    for (const section of document.querySelectorAll('details')) section.open = true;
    for (const { id, available } of tactus.view.layers) if (wanted.includes(id) && available) tactus.view.setLayer(id, true);
  }, LAYERS);
  const narrow = await page.evaluate(() => matchMedia('(max-width: 62rem), (max-height: 27rem)').matches);
  for (const drawer of narrow ? ['', ...DRAWERS] : ['']) {
    if (drawer) await page.getByRole('button', { name: drawer, exact: true }).click();
    const found = await page.evaluate(`(${fill})(); (${overflows})()`);
    if (found.length > 0) await shoot(page, `failed-layout-${name}`);
    assert.deepEqual(found, [], `${name} ${drawer}`);
  }
  if (narrow) await page.keyboard.press('Escape');
  await shoot(page, `layout-${name}`);
}

test('no element overflows its container', async () => {
  const page = await openPage(browser, program.url, { viewport: SIZES.laptop, deviceScaleFactor: 0.25 });
  for (const scene of all ? ['grasp', 'thin-rod', 'nodule'] : ['nodule']) {
    await openScene(page, scene);
    for (const [size, viewport] of Object.entries(SIZES)) {
      await page.setViewportSize(viewport);
      await measure(page, `${scene}-${size}`);
    }
  }
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.setViewportSize({ width: 3840, height: 2160 });
  await measure(page, 'nodule-large');
  await page.setViewportSize(SIZES.laptop);

  // A depth is for a push alone, and says so.
  const depth = page.getByRole('slider', { name: 'Press depth' });
  const follow = page.getByRole('switch', { name: 'Follow the surface' });
  for (const [mode, works] of [['Push', true], ['Pull', false], ['Carry', false], ['Push', true]]) {
    await page.getByRole('radio', { name: mode, exact: true }).check({ force: true });
    assert.equal(await depth.isEnabled(), works, mode);
    assert.equal(await follow.isEnabled(), works, mode);
    assert.equal(await page.getByText('Only a push has a depth').isVisible(), !works, mode);
  }
  await closePage(page);
});

test('the help on a touch screen describes fingers, not the wheel and buttons of a mouse', async () => {
  const phone = { viewport: PHONE, hasTouch: true, isMobile: true, deviceScaleFactor: 0.5 };
  const page = await openPage(browser, program.url, phone);
  const mouse = /mouse|wheel|right button|right drag|Shift \+ drag/i;
  await openScene(page, 'nodule');
  assert.match(await page.locator('.hint').textContent(), /finger/);
  for (const part of ['#controls', '.hint']) assert.doesNotMatch(await page.locator(part).textContent(), mouse, part);
  await page.evaluate(() => (tactus.hand.mode = 'pull'));
  assert.match(await page.locator('#controls').textContent(), /While you pull, a second finger/);
  await page.getByRole('button', { name: 'Help', exact: true }).click();
  const help = await page.locator('dialog.help').innerText();
  assert.match(help, /With fingers/);
  assert.doesNotMatch(help, mouse);
  assert.deepEqual(await page.evaluate(overflows), []);
  await shoot(page, 'layout-help-phone');
  await closePage(page);
});
