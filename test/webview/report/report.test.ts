import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserPath } from '../../../scripts/lib/chromium.mjs';
import { makeReport } from '../../../src/cli/report/makeReport';
import { reportPage } from '../../../src/cli/report/page/page';
import { reportedAt } from '../../../src/cli/report/base/reported';
import { silent } from '../../../src/core/progress';
import { hostilePieces, reportOf } from '../../unit/cli/report/reportOf';
import { findLowContrast } from '../lib/contrast';

const profile = path.resolve(import.meta.dirname, '../../fixtures/cube4/lulesh-mpi.cubex');
const pictures = path.resolve(import.meta.dirname, '../../../test-results/webview');

let browser: Browser;
let folder: string;
/** Of a profile of 8 ranks. */
let report: string;
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'kymo-report-'));
  const { signal } = new AbortController();
  const context = { json: false, workspace: folder, signal, progress: silent };
  const made = await makeReport(await reportedAt(profile, context), context, {
    version: '1.2.3',
    at: new Date('2026-11-30T12:00:00Z'),
  });
  report = write('report.html', reportPage(made.document));
  browser = await chromium.launch({
    executablePath: browserPath,
    headless: true,
    args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--disable-background-networking'],
  });
});
afterAll(async () => {
  await browser.close();
  rmSync(folder, { recursive: true });
});

function write(name: string, markup: string): string {
  const file = path.join(folder, name);
  writeFileSync(file, markup);
  return pathToFileURL(file).href;
}

/** The page in a window, with what went wrong in it, and what it asked for beside itself. */
async function opened(
  url: string,
  { width = 1280, scheme = 'light' }: { readonly width?: number; readonly scheme?: 'light' | 'dark' } = {},
): Promise<{ readonly page: Page; readonly complaints: readonly string[] }> {
  const context = await browser.newContext({ viewport: { width, height: 800 }, colorScheme: scheme });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('dialog', (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    if (request.url() !== url) complaints.push(`asks for ${request.url()}`);
  });
  await page.goto(url);
  return { page, complaints };
}

/** Runs in the page: what is wider than the page and cannot be scrolled to, or is cut when it is printed. */
function tooWide(): string[] {
  const isScrolled = (one: Element): boolean =>
    one.closest('.scroll, .picture') !== null &&
    getComputedStyle(one.closest('.scroll, .picture') ?? one).overflowX === 'auto';
  return [...document.querySelectorAll('body *')]
    .filter((one) => !one.matches('.skip') && !isScrolled(one))
    .filter((one) => one.getBoundingClientRect().right > document.documentElement.clientWidth + 1)
    .map((one) => `${one.tagName} ${one.textContent.trim().slice(0, 60)}`);
}

describe('a report in a browser', () => {
  it.each([
    ['light', 1280],
    ['dark', 1280],
    ['light', 760],
    ['dark', 760],
  ] as const)('opens without an error, is not cut, and can be read: %s, %d pixels', async (scheme, width) => {
    const { page, complaints } = await opened(report, { scheme, width });
    expect(complaints).toEqual([]);
    expect(await page.title()).toBe('Performance of lulesh-mpi.cubex');
    expect(await page.evaluate(tooWide)).toEqual([]);
    expect(await page.evaluate(findLowContrast, 4.5)).toEqual([]);
    mkdirSync(pictures, { recursive: true });
    await page.screenshot({ path: path.join(pictures, `report-${scheme}-${width}.png`), fullPage: true });
    await page.context().close();
  });

  it('prints on A4 without a cut, dark as it may be on the screen', async () => {
    // 210 mm without the margins of 13 mm.
    const { page } = await opened(report, { scheme: 'dark', width: 695 });
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    expect(await page.evaluate(tooWide)).toEqual([]);
    expect(await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)).toBe(
      'rgb(255, 255, 255)',
    );
    expect(await page.evaluate(findLowContrast, 4.5)).toEqual([]);
    mkdirSync(pictures, { recursive: true });
    await page.pdf({ path: path.join(pictures, 'report.pdf'), format: 'A4' });
    await page.context().close();
  });

  it('is walked through by keys: the first link leads to the content, and wide tables can be scrolled', async () => {
    const { page } = await opened(report);
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to content');
    await page.keyboard.press('Enter');
    expect(new URL(page.url()).hash).toBe('#content');
    expect(await page.locator('.scroll:not([tabindex="0"])').count()).toBe(0);
    await page.context().close();
  });

  it('has no tag, attribute or script of a hostile name', async () => {
    const { page } = await opened(report);
    /** Runs in the page. */
    const outlineOf = (markup: string): string[] => {
      const parsed = new DOMParser().parseFromString(markup, 'text/html');
      return [...parsed.querySelectorAll('*')].map(
        (one) => `${one.tagName} ${one.getAttributeNames().join(' ')} ${one.childElementCount}`,
      );
    };
    const usual = await page.evaluate(outlineOf, reportPage(reportOf(() => 'text')));
    for (const piece of hostilePieces) {
      const texts = [piece, `x${piece}`, `${piece}${hostilePieces.join('')}`];
      let calls = 0;
      const markup = reportPage(reportOf(() => texts[calls++ % texts.length] ?? ''));
      expect(await page.evaluate(outlineOf, markup), piece).toEqual(usual);
    }
    await page.context().close();
    const all = await opened(write('hostile.html', reportPage(reportOf(() => hostilePieces.join('')))));
    expect(all.complaints).toEqual([]);
    expect(await all.page.evaluate(() => document.scripts.length)).toBe(0);
    await all.page.context().close();
  });
});
