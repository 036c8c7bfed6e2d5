// node bench/webview/dynamics.mjs [--json] [--ranks N] [--iterations N] [--properties N]
// The dynamics panel in a real Chromium: the map of values, the chart, and its sliders with many properties; against the bars of its issue.
import { parseArgs } from 'node:util';
import { report } from './lib/report.mjs';
import { leftBy, withView } from './lib/view.mjs';

const { values: options } = parseArgs({
  options: {
    json: { type: 'boolean' },
    ranks: { type: 'string', default: '64' },
    iterations: { type: 'string', default: '2048' },
    properties: { type: 'string', default: '5000' },
  },
  strict: false,
});
const { json, ranks, iterations, properties } = options;
const parts = { view: 'webview/dynamics/main.ts', extension: 'bench/webview/dynamicsExtension.ts' };
await withView(parts, async (open) => {
  const page = await open({ width: 1400, height: 900 }, { ranks, iterations, properties });
  const rows = [
    {
      what: 'first map drawn, from the view script on',
      bar: 1000,
      values: [await leftBy(page, 'kymoFirstMap')],
    },
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
  ];
  report(rows, { json, title: 'dynamics panel, script, layout and drawing (pixels read back)' });
});
