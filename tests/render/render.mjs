// Renders diagrams in Chromium, with several versions of Mermaid, and reports those that are not drawn.
//
//     npm ci && node render.mjs [--ends] <chromium> <diagrams.json> [folder for pictures] [version for pictures]
//
// The file is a list of `{ place, text }`. A diagram is drawn if Mermaid throws nothing, shows no "Syntax error in text",
// and the picture has an area, an arrow for every arrow between two states, and every number in it is one.
// With `--ends`, only the oldest and the newest version draw. With a folder, every diagram becomes a picture there, drawn by one version, else by that of the book.
//
// To raise the newest version: `npm view mermaid version`, then that version behind `mermaid-newest` in package.json,
// and `npm install --package-lock-only --ignore-scripts` here. The others stay: they draw the pages of people who have them.

import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import puppeteer from 'puppeteer-core';

const onlyEnds = process.argv.includes('--ends');
const [chromium, list, pictures, drawnBy = '11.17.2'] = process.argv.slice(2).filter((it) => it !== '--ends');
const diagrams = JSON.parse(readFileSync(list, 'utf8'));
const { dependencies, optionalDependencies } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'));
// From the oldest to the newest; those between are optional, so that `npm ci --omit=optional` installs the ends.
const mermaids = (of) => Object.entries(of).filter(([, it]) => it.startsWith('npm:mermaid@'));
const [oldest, newest] = mermaids(dependencies);
const all = [oldest, ...mermaids(optionalDependencies), newest];
const versions = onlyEnds ? [all[0], all.at(-1)] : all;

/** In the page: draws some diagrams; returns what is wrong with each, or null. */
async function draw(texts) {
  const problems = [];
  for (const text of texts) {
    const box = document.createElement('div');
    document.body.replaceChildren(box);
    try {
      const { svg } = await mermaid.render('picture', text, box);
      box.innerHTML = svg;
      const picture = box.querySelector('svg');
      const size = picture?.getBoundingClientRect();
      // Of several arrows from a state to itself, Mermaid draws one: these do not count. It makes three parts of each.
      const ends = text.startsWith('stateDiagram') ? [...text.matchAll(/^ *(\S+) --> (\w+|\[\*\])/gm)] : [];
      const arrows = ends.filter(([, from, to]) => from !== to).length;
      const drawn = [...(picture?.querySelectorAll('path.transition') ?? [])].filter((it) => !it.id.includes('cyclic-special')).length;
      if (svg.includes('Syntax error in text') || picture?.getAttribute('aria-roledescription') === 'error') problems.push('the picture is "Syntax error in text"');
      else if (!size || size.width < 4 || size.height < 4) problems.push('the picture is empty');
      else if (/[="(, ]NaN\b/.test(svg.replace(/>[^<]*</g, '><'))) problems.push('the picture has a coordinate that is no number');
      else if (drawn < arrows) problems.push(`the picture has ${drawn} of ${arrows} arrows`);
      else problems.push(null);
    } catch (error) {
      problems.push(String(error?.message ?? error));
    }
  }
  return problems;
}

const profile = mkdtempSync(join(tmpdir(), 'statespec-chromium-'));
const quiet = ['--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];
const args = ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', ...quiet];
const browser = await puppeteer.launch({ executablePath: chromium, headless: true, userDataDir: profile, protocolTimeout: 300_000, args });
const problems = [];
try {
  for (const [alias, source] of versions) {
    const start = Date.now();
    const version = source.replace('npm:mermaid@', '');
    const page = await browser.newPage();
    await page.setViewport({ width: 1280, height: 900 });
    await page.setContent('<!doctype html><meta charset="utf-8"><body></body>');
    await page.addScriptTag({ path: join(import.meta.dirname, 'node_modules', alias, 'dist/mermaid.min.js') });
    await page.evaluate(() => mermaid.initialize({ startOnLoad: false, securityLevel: 'strict' }));
    let failed = 0;
    // In parts, so that no call to the browser takes long.
    for (let first = 0; first < diagrams.length; first += 20) {
      const part = diagrams.slice(first, first + 20);
      const found = await page.evaluate(draw, part.map((it) => it.text));
      for (const [idx, problem] of found.entries()) {
        if (problem === null) continue;
        failed += 1;
        problems.push(`Mermaid ${version}, ${part[idx].place}: ${problem.split('\n').slice(0, 3).join(' | ')}\n${part[idx].text}`);
      }
    }
    console.log(`Mermaid ${version}: ${diagrams.length} diagrams, ${failed} not drawn, ${((Date.now() - start) / 1000).toFixed(1)} s`);
    if (pictures && version === drawnBy) {
      mkdirSync(pictures, { recursive: true });
      for (const [idx, { place, text }] of diagrams.entries()) {
        await page.evaluate(draw, [text]);
        const picture = await page.$('svg');
        await picture?.screenshot({ path: join(pictures, `${String(idx).padStart(3, '0')}-${place.replace(/[^\w.-]+/g, '-')}.png`) }).catch(() => {});
      }
    }
    await page.close();
  }
} finally {
  await browser.close();
  rmSync(profile, { recursive: true, force: true });
}
problems.slice(0, 20).forEach((it) => console.error(it));
if (problems.length > 20) console.error(`and ${problems.length - 20} more`);
process.exitCode = problems.length > 0 ? 1 : 0;
