// node bench/webview/dynamics.mjs [--json] [--ranks N] [--iterations N] [--properties N]
// The dynamics panel in a real Chromium: the map of values, the chart, and its sliders with many properties; against the bars of its issue.
import path from 'node:path';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { chromium } from 'playwright-core';
import { webviewBundle } from '../../scripts/lib/webviews.mjs';

const { values: options } = parseArgs({
  options: {
    json: { type: 'boolean' },
    ranks: { type: 'string', default: '64' },
    iterations: { type: 'string', default: '2048' },
    properties: { type: 'string', default: '5000' },
  },
  strict: false,
});
const bundled = async (entry) => {
  const { outputFiles } = await build({
    ...webviewBundle(entry, { production: true }),
    outfile: 'view.js',
    write: false,
  });
  return Object.fromEntries(outputFiles.map(({ path: file, text }) => [path.extname(file), text]));
};
const view = await bundled('webview/dynamics/main.ts');
const extension = await bundled('bench/webview/dynamicsExtension.ts');
const files = {
  '/': [
    'text/html',
    '<!DOCTYPE html><html><head><meta charset="utf-8"><link rel="stylesheet" href="/view.css"></head><body class="vscode-dark"><main id="root"></main><script src="/extension.js"></script><script src="/view.js"></script></body></html>',
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
  const page = await browser.newPage({ viewport: { width: 1400, height: 900 } });
  await page.route('**/*', (route) => {
    const file = files[new URL(route.request().url()).pathname];
    return file === undefined
      ? route.abort()
      : route.fulfill({ contentType: `${file[0]}; charset=utf-8`, body: file[1] });
  });
  const { ranks, iterations, properties } = options;
  await page.goto(`http://webview.invalid/?ranks=${ranks}&iterations=${iterations}&properties=${properties}`);
  const first = await (
    await page.waitForFunction('globalThis.kymoFirstMap', undefined, { timeout: 60_000 })
  ).jsonValue();
  report([
    { what: 'first map drawn, from the view script on', bar: 1000, values: [first] },
    {
      what: `map of ${ranks} × ${iterations} and chart drawn anew, zoomed`,
      bar: 300,
      values: await page.evaluate('kymoBench.zoom(40)'),
    },
    {
      what: 'cursor over both',
      bar: 100,
      values: await page.evaluate('kymoBench.cursor(40)'),
    },
    {
      what: `threshold slider with ${properties} properties`,
      bar: 100,
      values: await page.evaluate("kymoBench.slide('At least', 40)"),
    },
    { what: 'scale slider', bar: 100, values: await page.evaluate("kymoBench.slide('Smooth', 40)") },
  ]);
} finally {
  await browser.close();
}

function report(rows) {
  const results = rows.map(({ what, bar, values }) => {
    const sorted = [...values].sort((a, b) => a - b);
    const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
    return { what, bar, median: at(0.5), p95: at(0.95), worst: sorted.at(-1), count: sorted.length };
  });
  if (options.json) {
    console.log(JSON.stringify({ results }, undefined, 2));
    return;
  }
  console.log('dynamics panel, script, layout and drawing (pixels read back)');
  for (const { what, bar, median, p95, worst, count } of results)
    console.log(
      `${what}: median ${median.toFixed(1)} ms, 95 % below ${p95.toFixed(1)} ms, worst ${worst.toFixed(1)} ms of ${count}; bar ${bar} ms${median > bar ? '  EXCEEDS THE BAR' : ''}`,
    );
}
