// Marking in one of the two charts over time is seen in the other one: by the pointer and by keys.
import { assert, until } from '../../lib/report.mjs';
import { panel } from './panel.mjs';

/** Of a canvas, pixels left and right of what is drawn over time. */
const margins = { left: 66, right: 10 };

export async function brushed(report, { workbench, page, inHost }) {
  await report.check('what is marked in the map by the mouse is what the chart shows', async () => {
    await workbench.tab('Dynamics').click();
    await inHost(() => vscode.commands.executeCommand('workbench.action.closeEditorsInOtherGroups'));
    const charts = await chartsOf(page);
    await drag(page, charts.map, 0.251, 0.499, () => workbench.screenshot('dynamics-brush'));
    await until('a quarter of the run', async () => (await charts.shownSpan()) === '33–64');
    await workbench.screenshot('dynamics-brushed');
  });
  await report.check('what is marked in the chart by the mouse is what the map shows', async () => {
    const charts = await chartsOf(page);
    await drag(page, charts.series, 0.251, 0.499);
    await until('a quarter of the quarter', async () => (await charts.shownSpan()) === '41–48');
    const ends = await endsByKeys(page, charts);
    assert(ends.join() === '41,48', `the map shows ${ends.join(' to ')}`);
    await charts.series.dblclick({ position: { x: 300, y: 100 } });
    await until('the whole run', async () => (await charts.shownSpan()) === 'all');
  });
  await report.check('the same by keys', async () => {
    const charts = await chartsOf(page);
    await charts.series.focus();
    await page.keyboard.press('Home');
    for (let step = 0; step < 10; step++) await page.keyboard.press('Shift+ArrowRight');
    await workbench.screenshot('dynamics-brush-keys');
    await page.keyboard.press('Enter');
    const ends = await endsByKeys(page, charts);
    assert(ends.join() === '1,11', `the map shows ${ends.join(' to ')}`);
    await page.keyboard.press('Escape');
    const all = await endsByKeys(page, charts);
    assert(all.join() === '1,128', `the map shows ${all.join(' to ')}`);
  });
}

async function chartsOf(page) {
  const frame = await panel(page, '.value-map canvas:visible');
  const readOut = (chart) => frame.locator(`${chart} .read-out`).innerText();
  return {
    series: frame.locator('.series-chart canvas'),
    map: frame.locator('.value-map canvas'),
    mapReadOut: () => readOut('.value-map'),
    /** `33–64` or `all`, while the pointer is elsewhere: then the chart prints its range. */
    shownSpan: async () => {
      await page.mouse.move(640, 4);
      const text = await readOut('.series-chart');
      return /^All 128 iterations/.test(text) ? 'all' : /^Iterations (\S+) of 128/.exec(text)?.[1];
    },
  };
}

/** From one share of the time that is shown to another. */
async function drag(page, canvas, from, to, beforeRelease = () => undefined) {
  await canvas.scrollIntoViewIfNeeded();
  const box = await canvas.boundingBox();
  assert(box !== null, 'the chart is not shown');
  const width = box.width - margins.left - margins.right;
  const x = (share) => box.x + margins.left + share * width;
  const y = box.y + box.height / 2;
  await page.mouse.move(x(from), y);
  await page.mouse.down();
  await page.mouse.move(x((from + to) / 2), y);
  await page.mouse.move(x(to), y);
  await beforeRelease();
  await page.mouse.up();
}

/** First and last iteration that the map shows, as a person without a mouse finds out. */
async function endsByKeys(page, { map, mapReadOut }) {
  await map.focus();
  const ends = [];
  for (const key of ['Home', 'End']) {
    await page.keyboard.press(key);
    ends.push(
      await until(
        `the map to read out its ${key.toLowerCase()}`,
        async () => /^Rank \d+, iteration (\d+):/.exec(await mapReadOut())?.[1],
      ),
    );
  }
  return ends;
}
