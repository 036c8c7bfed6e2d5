// node bench/webview/run.mjs [--json] [--call-paths N]   (without --json also dynamics.mjs)
// The hot-spot panel on a large profile, in a real Chromium: first rows, expanding, scrolling, searching; against the bars of its issue.
import { parseArgs } from 'node:util';
import { report } from './lib/report.mjs';
import { leftBy, withView } from './lib/view.mjs';

const { values: options } = parseArgs({
  options: { json: { type: 'boolean' }, 'call-paths': { type: 'string', default: '100000' } },
});
const callPaths = Number(options['call-paths']);
const parts = { view: 'webview/hotSpots/main.ts', extension: 'bench/webview/extension.ts' };
await withView(parts, async (open) => {
  const firstPaints = [];
  let page;
  for (let i = 0; i < 3; i++) {
    await page?.close();
    page = await open({ width: 1200, height: 800 }, { callPaths });
    firstPaints.push(await leftBy(page, 'kymoFirstPaint'));
  }
  const expanded = await page.evaluate('kymoBench.expand(60)');
  await page.getByRole('button', { name: 'Expand All' }).click();
  await page.waitForFunction(`document.querySelector('.grid').ariaRowCount === '${callPaths + 1}'`);
  const scrolled = await page.evaluate('kymoBench.scroll(200)');
  const searched = [];
  for (const text of ['method123(', 'Class5<', 'vector']) {
    await page.keyboard.press('Control+f');
    await page.keyboard.press('Control+a');
    // It must be waiting before the key comes: keys go another way into the page, and may be faster.
    await page.evaluate('void (globalThis.kymoSearched = kymoBench.search())');
    await page.keyboard.insertText(text);
    searched.push(await page.evaluate('kymoSearched'));
  }
  const rows = [
    { what: 'first rows painted, from the view script on', bar: 1000, values: firstPaints },
    { what: 'expanding or closing a row, script and layout', bar: 16, values: expanded },
    { what: 'scrolling a screen in the whole tree, script and layout', bar: 16, values: scrolled.work },
    { what: 'scrolling, from frame to frame', values: scrolled.gaps },
    {
      what: 'searching, from the key to the count (80 ms of it wait for the next key)',
      bar: 200,
      values: searched,
    },
  ];
  report(rows, {
    json: options.json,
    title: `hot-spot panel, ${callPaths} call paths`,
    facts: { callPaths },
  });
});
if (!options.json) await import('./dynamics.mjs');
