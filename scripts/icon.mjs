// Draws media/icon.png, the icon of the extension page, from docs/images/icon.svg: `node scripts/icon.mjs`. Needs Chromium.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { chromium } from 'playwright-core';
import { browserPath } from './lib/chromium.mjs';

const root = path.resolve(import.meta.dirname, '..');
const svg = readFileSync(path.join(root, 'docs/images/icon.svg'), 'utf8');
const browser = await chromium.launch({
  executablePath: browserPath,
  args: ['--no-sandbox'],
});
const page = await browser.newPage({ viewport: { width: 256, height: 256 } });
await page.setContent(`<style>body { margin: 0 } svg { display: block }</style>${svg}`);
await page.screenshot({ path: path.join(root, 'media/icon.png'), omitBackground: true });
await browser.close();
