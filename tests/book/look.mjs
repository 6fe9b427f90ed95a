// Opens every page of the built book in Chromium, at the width of a desktop and of a phone, and reports:
// messages of the console, files that do not load, diagrams that are not drawn or are empty, pages that are wider than
// the screen or blank, and a search that finds nothing.
//
//     npm ci && node look.mjs <chromium> <folder of the book> [folder for screenshots]
//
// `cargo xtask book --look` runs this; the screenshots are then in `target/book.shots`.

import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { delimiter, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import puppeteer from 'puppeteer-core';

const [chromium, book, shots] = process.argv.slice(2);
const SCREENS = { desktop: { width: 1280, height: 900 }, phone: { width: 390, height: 844, isMobile: true, hasTouch: true } };

/** The path of a program, by its name. */
function find(program) {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return [program, ...folders.map((it) => join(it, program))].find((it) => existsSync(it)) ?? program;
}

/** All pages but those that only mdBook itself needs. */
const pages = readdirSync(book, { recursive: true })
  .filter((it) => it.endsWith('.html') && !['404.html', 'toc.html', 'print.html'].includes(it))
  .sort();

const problems = [];
// A browser that asks nothing of the network.
const quiet = ['--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];
const args = ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--allow-file-access-from-files', ...quiet];
const browser = await puppeteer.launch({ executablePath: find(chromium), args });
let diagrams = 0;
for (const [screen, viewport] of Object.entries(SCREENS)) {
  for (const path of pages) {
    const page = await browser.newPage();
    const problem = (text) => problems.push(`${path} on a ${screen}: ${text}`);
    page.on('console', (it) => {
      // mdBook's highlighter sees the diagrams before the script does, and does not know their language.
      const isAboutColours = /Could not find the language 'mermaid'|Falling back to no-highlight/.test(it.text());
      if (['error', 'warn'].includes(it.type()) && !isAboutColours) problem(it.text());
    });
    page.on('pageerror', (it) => problem(it.message));
    page.on('requestfailed', (it) => problem(`${relative(book, new URL(it.url()).pathname)} does not load`));
    await page.setViewport(viewport);
    await page.goto(pathToFileURL(join(book, path)).href, { waitUntil: 'load' });
    // A Mermaid block in the page, as the parser of HTML sees it; the script replaces it.
    const expected = (readFileSync(join(book, path), 'utf8').match(/<code class="language-mermaid/g) ?? []).length;
    if (expected > 0) {
      await page
        .waitForFunction(() => document.documentElement.dataset.diagrams !== undefined, { timeout: 60_000 })
        .catch(() => problem('the diagrams are not drawn'));
    }
    const seen = await page.evaluate(() => {
      const drawn = [...document.querySelectorAll('.diagram svg')];
      return {
        drawn: drawn.length,
        empty: drawn.filter((it) => it.getBoundingClientRect().height < 20).length,
        wide: document.scrollingElement.scrollWidth - window.innerWidth,
        screen: window.innerWidth,
        blank: document.querySelector('main').innerText.trim() === '',
      };
    });
    diagrams += seen.drawn;
    if (seen.drawn !== expected) problem(`${seen.drawn} of ${expected} diagrams are drawn`);
    if (seen.empty > 0) problem(`${seen.empty} diagrams are empty`);
    if (seen.screen > viewport.width || seen.wide > 0) problem(`the page is ${seen.screen + seen.wide} wide, the screen ${viewport.width}`);
    if (seen.blank) problem('the page is blank');
    if (shots) {
      mkdirSync(shots, { recursive: true });
      await page.screenshot({ path: join(shots, `${path.replaceAll('/', '-').replace('.html', '')}.${screen}.png`), fullPage: true });
    }
    await page.close();
  }
}

const page = await browser.newPage();
await page.goto(`${pathToFileURL(join(book, 'index.html')).href}?search=waiver`, { waitUntil: 'load' });
await page
  .waitForFunction(() => document.querySelectorAll('#mdbook-searchresults li, #searchresults li').length > 0, { timeout: 30_000 })
  .catch(() => problems.push('the search finds nothing'));
await browser.close();

for (const it of problems) console.log(it);
console.log(`${pages.length} pages, ${diagrams / Object.keys(SCREENS).length} diagrams, ${problems.length} problems`);
process.exitCode = problems.length > 0 ? 1 : 0;
