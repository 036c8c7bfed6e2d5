// node bench/webview/run.mjs [--json] [--call-paths N]   (without --json also dynamics.mjs)
// The hot-spot panel on a large profile, in a real Chromium: first rows, expanding, scrolling, searching; against the bars of its issue.
import path from 'node:path';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { chromium } from 'playwright-core';
import { webviewBundle } from '../../scripts/lib/webviews.mjs';

const { values: options } = parseArgs({
  options: { json: { type: 'boolean' }, 'call-paths': { type: 'string', default: '100000' } },
});
const bundled = async (entry) => {
  const { outputFiles } = await build({
    ...webviewBundle(entry, { production: true }),
    outfile: 'view.js',
    write: false,
  });
  return Object.fromEntries(outputFiles.map(({ path: file, text }) => [path.extname(file), text]));
};
const view = await bundled('webview/hotSpots/main.ts');
const extension = await bundled('bench/webview/extension.ts');
const files = {
  '/': [
    'text/html',
    '<!DOCTYPE html><html><head><link rel="stylesheet" href="/view.css"></head><body class="vscode-dark"><main id="root"></main><script src="/extension.js"></script><script src="/view.js"></script></body></html>',
  ],
  '/extension.js': ['text/javascript', extension['.js']],
  '/view.js': ['text/javascript', view['.js']],
  '/view.css': ['text/css', view['.css']],
};

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--disable-background-networking'],
});
try {
  const firstPaints = [];
  let page;
  for (let i = 0; i < 3; i++) {
    await page?.close();
    page = await browser.newPage({ viewport: { width: 1200, height: 800 } });
    await page.route('**/*', (route) => {
      const file = files[new URL(route.request().url()).pathname];
      return file === undefined ? route.abort() : route.fulfill({ contentType: file[0], body: file[1] });
    });
    await page.goto(`http://webview.invalid/?callPaths=${options['call-paths']}`);
    firstPaints.push(
      await (
        await page.waitForFunction('globalThis.kymoFirstPaint', undefined, { timeout: 60_000 })
      ).jsonValue(),
    );
  }
  const expanded = await page.evaluate('kymoBench.expand(60)');
  await page.getByRole('button', { name: 'Expand All' }).click();
  await page.waitForFunction(
    `document.querySelector('.grid').ariaRowCount === '${Number(options['call-paths']) + 1}'`,
  );
  const scrolled = await page.evaluate('kymoBench.scroll(200)');
  const searched = [];
  for (const text of ['method123(', 'Class5<', 'vector']) {
    await page.keyboard.press('Control+f');
    await page.keyboard.press('Control+a');
    const time = page.evaluate('kymoBench.search()');
    await page.keyboard.insertText(text);
    searched.push(await time);
  }
  report([
    { what: 'first rows painted, from the view script on', bar: 1000, values: firstPaints },
    { what: 'expanding or closing a row, script and layout', bar: 16, values: expanded },
    { what: 'scrolling a screen in the whole tree, script and layout', bar: 16, values: scrolled.work },
    { what: 'scrolling, from frame to frame', values: scrolled.gaps },
    {
      what: 'searching, from the key to the count (80 ms of it wait for the next key)',
      bar: 200,
      values: searched,
    },
  ]);
} finally {
  await browser.close();
}
if (!options.json) await import('./dynamics.mjs');

function report(rows) {
  const results = rows.map(({ what, bar, values }) => {
    const sorted = [...values].sort((a, b) => a - b);
    const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
    return { what, bar, median: at(0.5), p95: at(0.95), worst: sorted.at(-1), count: sorted.length };
  });
  if (options.json) {
    console.log(JSON.stringify({ callPaths: Number(options['call-paths']), results }, undefined, 2));
    return;
  }
  console.log(`hot-spot panel, ${options['call-paths']} call paths`);
  for (const { what, bar, median, p95, worst, count } of results)
    console.log(
      `${what}: median ${median.toFixed(1)} ms, 95 % below ${p95.toFixed(1)} ms, worst ${worst.toFixed(1)} ms of ${count}` +
        (bar === undefined ? '' : `; bar ${bar} ms${median > bar ? '  EXCEEDS THE BAR' : ''}`),
    );
}
