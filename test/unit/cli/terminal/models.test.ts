import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { modelsText, shortPath } from '../../../../src/cli/terminal/models/models';
import { silent } from '../../../../src/core/progress';
import { makeModels } from '../../../../src/workflows/models';

const folder = mkdtempSync(path.join(tmpdir(), 'kymo-models-text-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** The lines that are printed of a parameter p with these values, and of a region with the results. */
async function lines(
  points: readonly number[],
  results: readonly number[],
  options: object = {},
): Promise<readonly string[]> {
  const file = path.join(folder, 'measured.txt');
  const data = results.map((value) => `DATA ${value}`);
  writeFileSync(file, ['PARAMETER p', `POINTS ${points.join(' ')}`, 'REGION r', ...data, ''].join('\n'));
  const report = await makeModels({ paths: [file], ...options }, { progress: silent });
  return modelsText(report, 20).split('\n');
}

test('a mean in the place of a formula is no prediction', async () => {
  const [, , heads, row] = await lines([1, 2, 4], [1, 2, 6]);
  expect(heads).toMatch(/^share +predicted +95 % range +SMAPE +model +call path +verdict$/);
  expect(row).toMatch(/^ +[\d.]+ % +mean 3 +r +not-enough-data$/);
  const [, , , unusable] = await lines([-1, 2, 4, 8, 16], [1, 1, 1, 1, 1]);
  expect(unusable).toMatch(/^ +0\.0 % +mean 1 +r +unusable$/);
});

test('a formula that Extra-P would make of few points is one', async () => {
  const [, , , row] = await lines([1, 2, 4], [3, 5, 9], { extrap: {} });
  expect(row).toMatch(/^100 % +81 +0\.0 % +1 \+ 2 · p +r +not-enough-data$/);
});

test('a metric without values has a sentence and no table', async () => {
  expect(await lines([1, 2, 4, 8, 16], [0, 0, 0, 0, 0])).toEqual([
    'Values, predicted for p = 160:',
    '',
    '1 call path has none.',
    '',
  ]);
});

test('columns, letters and the verdicts that occur are explained', async () => {
  const text = (await lines([1, 2, 4], [1, 2, 6])).join('\n');
  expect(text).toMatch(/Predicted: at ten times .*SMAPE: mean distance .* p: number of ranks\./);
  expect(text).toContain('not-enough-data: too few points for a formula.');
  expect(text).not.toContain('ambiguous: ');
});

test('where the other points are is said', async () => {
  const texts = await lines([1, 2, 4, 8, 16], [1, 2, 4, 8, 16], { predict: [{ p: 32 }, { p: 64 }] });
  expect(texts).toContain('The other point is in the output of --json.');
});

test('call paths are short where they need not be long, and instances of a template are told apart', () => {
  expect(shortPath('main->run(int)->solve(double*, int)')).toBe('main->run->solve(double*, int)');
  const instance = (type: string): string =>
    `void forall<policy::sequential, lambda>(policy::sequential const&, ${type}, int)`;
  expect(shortPath(`main->${instance('float')}`)).not.toBe(shortPath(`main->${instance('double')}`));
  expect(shortPath(`main->${instance('float')}`)).toMatch(/^void forall<.{0,60}float, int\)$/);
  // As many whole names as there is room for.
  expect(shortPath(`${'caller->'.repeat(30)}solve`)).toBe(`…->${'caller->'.repeat(7)}solve`);
});
