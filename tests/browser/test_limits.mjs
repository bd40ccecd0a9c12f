// A body that is pulled out of the range of its model says so over the scene, and says nothing before.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { Program, command, endAll, makeFolder, openPage, shoot, source, startBrowser, until } from './browser.mjs';

/** The gallery's kidney, grabbed at its front and pulled by 80 mm, again and again. */
function pulledKidney(folder) {
  const scene = readFileSync(join(source, 'scenes/kidney.yaml'), 'utf8');
  const at = 'on: kidney, near: [0, 60 mm, 0]';
  const path = `path:
        - {${at}, depth: -5 mm, after: 0.5 s}
        - {${at}, depth: 1 mm, after: 0.5 s, buttons: [grab]}
        - {${at}, depth: 1 mm, after: 2 s, buttons: [grab]}
        - {${at}, depth: -80 mm, after: 2 s, buttons: [grab]}
        - {${at}, depth: -80 mm, after: 1 s, buttons: [grab]}
`;
  const file = join(folder, 'pulled.yaml');
  writeFileSync(file, scene.slice(0, scene.indexOf('path:')) + path);
  return file;
}

test('a kidney pulled far shows its error estimate, one that is only touched does not', async () => {
  const folder = makeFolder('limits');
  const program = await Program.start([pulledKidney(folder)]);
  const browser = await startBrowser();
  const page = await openPage(browser, program.url);
  await until('the scene runs', () => page.evaluate(() => /Running/.test(document.querySelector('#top').textContent)));
  await command(page, 'demo', { value: 1 });
  const said = () => page.evaluate(() => {
    const element = document.querySelector('.error-estimate');
    return element.hidden ? '' : `${element.classList.contains('much') ? 'much' : 'some'}: ${element.textContent}`;
  });
  const words = [];
  await until('the error estimate is shown', async () => {
    const now = await said();
    if (now !== words.at(-1)) words.push(now);
    return now.startsWith('much');
  });
  assert.equal(words[0], '');
  assert.match(words.at(-1), /kidney: estimated model error \d+ %: displacements are beyond the range of linear elasticity/);
  await shoot(page, 'limits');
  await endAll(page, browser, program);
});
