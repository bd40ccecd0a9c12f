// Makes the viewer's page: node build.mjs OUT NPM
//
// Installs what package-lock.json names, once, and bundles main.js and style.css. In OUT, then: index.html, viewer.js,
// viewer.css, icon.svg, a `missing` that is empty, `depends` (what they were made from, as make writes it), `complete`.
// Where the packages cannot be had (no network), the program is built all the same: the files are empty, `missing` says
// why, and `complete` is left out so that the next build tries again.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const web = fileURLToPath(new URL('.', import.meta.url));
const [out, npm] = process.argv.slice(2);
const packages = ['three', 'uplot']; // whose code becomes part of the page

const read = (path) => {
  try {
    return readFileSync(path);
  } catch {
    return null;
  }
};

/** Leaves a file alone that would not change, so that nothing is linked again. */
const write = (name, content) => {
  const bytes = Buffer.from(content);
  if (!read(join(out, name))?.equals(bytes)) writeFileSync(join(out, name), bytes);
};

/** "" where the packages are there; else what went wrong. */
const install = () => {
  const lock = readFileSync(join(web, 'package-lock.json'));
  const stamp = join(web, 'node_modules', '.installed'); // the lock file that was installed
  if (read(stamp)?.equals(lock)) return '';
  console.log('viewer: npm ci');
  const options = ['--no-audit', '--no-fund', '--ignore-scripts', '--prefer-offline', '--fetch-retries=1',
    '--fetch-retry-mintimeout=1000'];
  const run = spawnSync(npm, ['ci', ...options], { cwd: web, encoding: 'utf8' });
  if (run.status !== 0) {
    const lines = run.error ? [String(run.error)] : run.stderr.split('\n').filter((line) => /^npm err/i.test(line));
    console.error(lines.slice(0, 4).join('\n'));
    return 'npm could not install its packages; build again with a connection to the npm registry';
  }
  writeFileSync(stamp, lock);
  return '';
};

const bundle = async (esbuild) => {
  const licence = (name) => readFileSync(join(web, 'node_modules', name, 'LICENSE'), 'utf8').trim();
  const notices = packages.map((name) => `${name}\n\n${licence(name)}`);
  const notice = `/*! This file contains parts of:\n\n${notices.join('\n\n')}\n*/`;
  const result = await esbuild.build({
    absWorkingDir: web,
    entryPoints: ['main.js', 'style.css'],
    outdir: out,
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    legalComments: 'none', // the whole notices are in the footer
    footer: { js: notice, css: notice },
    write: false,
    metafile: true,
    logLevel: 'warning',
  });
  for (const file of result.outputFiles) write(file.path.endsWith('.js') ? 'viewer.js' : 'viewer.css', file.contents);
  for (const name of ['index.html', 'icon.svg']) write(name, readFileSync(join(web, name)));
  write('missing', '');
  return Object.keys(result.metafile.inputs).map((path) => join(web, path));
};

mkdirSync(out, { recursive: true });
rmSync(join(out, 'complete'), { force: true });
let missing = install();
let esbuild = null;
if (missing === '') {
  try {
    esbuild = await import('esbuild');
    await esbuild.transform(''); // starts its program, which has to fit this machine
  } catch (error) {
    missing = `esbuild does not run on this machine (${error.message.split('\n')[0]})`;
  }
}
if (missing !== '') {
  missing = `this build has no page: ${missing}`;
  console.warn(`viewer: warning: ${missing}`);
  for (const name of ['index.html', 'viewer.js', 'viewer.css', 'icon.svg']) write(name, '');
  write('missing', missing);
  writeFileSync(join(out, 'depends'), '');
} else {
  const inputs = await bundle(esbuild);
  const escaped = inputs.map((path) => path.replaceAll(' ', '\\ '));
  writeFileSync(join(out, 'depends'), `${join(out, 'complete')}: ${escaped.join(' ')}\n`);
  writeFileSync(join(out, 'complete'), '');
}
