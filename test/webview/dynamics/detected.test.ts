import { describe, expect, it } from 'vitest';
import { themeNames } from '../lib/themes';
import { detectedPieces } from './analyses';
import { useDynamicsPanel } from './dynamicsPanel';

const pieces = detectedPieces();
const panel = useDynamicsPanel();
const { open, ready, frame, untilAsked, announced } = panel;
const narrow = { width: 400, height: 900 };

/** What the button beside the chart saves, as text. */
async function saved(label: 'SVG' | 'CSV'): Promise<{ readonly name: string; readonly text: string }> {
  panel.asked.length = 0;
  await panel.view.page.getByRole('button', { name: 'Series over the iterations: Save…' }).click();
  await panel.view.page.getByRole('menuitem', { name: `Save as ${label}…` }).click();
  const { name, content } = (await untilAsked('save')) as { name: string; content: Uint8Array };
  return { name, text: new TextDecoder().decode(content) };
}

const texts = (svg: string): readonly string[] =>
  [...svg.matchAll(/<text[^>]*>([^<]*)</g)].map(([, text = '']) => text);

describe('what the detector finds, in the panel', () => {
  it.each(themeNames)('can be read in %s, wide and narrow', async (theme) => {
    for (const [name, size] of [
      ['wide', { width: 1200, height: 800 }],
      ['narrow', narrow],
    ] as const) {
      await open({ pieces, size });
      await ready();
      await panel.view.setTheme(theme);
      const look = async (what: string): Promise<void> => {
        await frame();
        expect(await panel.view.lowContrast()).toEqual([]);
        await panel.view.screenshot(`dynamics-detected-${what}-${name}-${theme}`);
      };
      await look('time');
      await panel.view.page.getByRole('button', { name: 'Residuals' }).click();
      await look('residuals');
      await panel.view.page.getByRole('tab', { name: 'Report' }).click();
      await look('report');
    }
  });

  it('says how sure a finding is, where it begins, and what it costs', async () => {
    await open({ pieces });
    await ready();
    const sure =
      /In (less than 1 of a million|1 of [\d.]+( k)?) series without a change the evidence is as strong\.$/;
    expect(await panel.view.page.locator('.finding').innerText()).toMatch(sure);
    await panel.view.page.locator('.series-chart canvas').focus();
    await panel.view.page.keyboard.press('PageDown');
    await expect
      .poll(announced)
      .toMatch(/trend 47–1\d\d, begins 4\d–\d\d \(95 %\), costs 3\d\.?\d? s ± [\d.]+ (s|ms)\. In /);
    await expect.poll(announced).toMatch(sure);
    // From value to value, only what is at each of them.
    await panel.view.page.keyboard.press('ArrowRight');
    await expect.poll(announced).toMatch(/^Iteration 4\d: .* · explained .*trend 4\d–1\d\d$/);
  });

  it('shows what the explanation leaves, by a button that is remembered', async () => {
    await open({ pieces });
    await ready();
    const plain = texts((await saved('SVG')).text);
    expect(plain).toEqual(expect.arrayContaining(['value', 'explanation', 'begin, end (95 %)', 'trend']));
    await panel.view.tabTo(/button Residuals/, 80);
    const isPressed = (pressed: boolean): Promise<void> =>
      panel.view.page.getByRole('button', { name: 'Residuals', pressed }).waitFor();
    await isPressed(false);
    await panel.view.page.keyboard.press('Space');
    await isPressed(true);
    const { name, text } = await saved('SVG');
    expect(name).toMatch(/ · residuals$/);
    expect(texts(text)).toEqual(expect.arrayContaining(['value − explanation', 'begin, end (95 %)', '0 s']));
    expect(texts(text)).not.toContain('explanation');
    await panel.view.page.locator('.series-chart canvas').focus();
    await panel.view.page.keyboard.press('Home');
    await expect.poll(announced).toMatch(/^Iteration 1: .* · explained .* · residual −?[\d.]+ (µs|ms) · /);
    await panel.view.reload();
    await ready();
    await isPressed(true);
    expect(texts((await saved('SVG')).text)).toContain('value − explanation');
  });

  it('has value, explanation, residual and borders in the table and in CSV', async () => {
    await open({ pieces, state: { chartTable: true } });
    await ready();
    const table = await panel.view.page.locator('.series-chart .chart-table-place').innerText();
    for (const title of ['Value', 'Explanation', 'Residual', 'Begin and end']) expect(table).toContain(title);
    const [head = '', ...lines] = (await saved('CSV')).text.trim().split('\r\n');
    expect(head).toBe(
      'first iteration,last iteration,value [s],explanation [s],residual [s],episode,found,begin and end',
    );
    const rows = lines.map((line) => line.split(','));
    for (const [, , value, explanation, residual] of rows)
      expect(Number(residual)).toBeCloseTo(Number(value) - Number(explanation), 12);
    const likely = rows.filter((row) => row.includes('trend most likely begins here'));
    expect(likely.map(([first]) => Number(first))).toEqual([
      expect.toSatisfy((i: number) => Math.abs(i - 47) < 4),
    ]);
    expect(rows.some((row) => row.some((cell) => cell.startsWith('trend may begin here')))).toBe(true);
  });

  it('names periodic work with its period, its cost and its jitter', () => {
    const periodic = pieces.properties(0, 100).filter(({ kind }) => kind === 'periodic-peaks');
    expect(periodic.map(({ title }) => title)).toEqual([
      expect.stringMatching(
        /^Time of writeCheckpoint peaks every 15 iterations \(each costs 2\.\d+ s, all of them 2\d(\.\d)? s, jitter 0\)$/,
      ),
    ]);
  });
});
