import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { registerModel } from '../../../../src/cli/commands/model';
import { useCommandFolder } from './commandFolder';

interface Printed {
  readonly notes: readonly string[];
  readonly parameters: readonly string[];
  readonly constants: Readonly<Record<string, unknown>>;
  readonly mode: string;
  readonly models: readonly {
    readonly callPath: string;
    readonly metric: string;
    readonly formula: string;
    readonly constant: number;
    readonly terms: readonly { readonly factors: readonly object[] }[];
    readonly segments?: readonly object[];
    readonly share?: number;
    readonly verdict?: { readonly kind: string; readonly message: string };
    readonly predictions: readonly {
      readonly point: readonly number[];
      readonly value: number;
      readonly low?: number;
      readonly high?: number;
    }[];
  }[];
}

const { file, run, inFolder } = useCommandFolder('models');
const model = (...words: readonly string[]) => run([registerModel], ['model', ...words]);
const printed = async (...words: readonly string[]) => (await model(...words)).result as Printed;

/** A text file of Extra-P: exact values of functions of p. */
function measured(
  name: string,
  functions: Readonly<Record<string, (p: number) => number>>,
  ps = [2, 4, 8, 16, 32],
): string {
  const lines = Object.entries(functions).flatMap(([region, value]) => [
    `REGION ${region}`,
    ...ps.map((p) => `DATA ${value(p)} ${value(p)}`),
  ]);
  return file(name, ['PARAMETER p', `POINTS ${ps.join(' ')}`, 'METRIC time', ...lines, ''].join('\n'));
}

const growing = {
  'main->solve': (p: number) => 2 + 3 * p * Math.log2(p),
  'main->init': () => 5,
  'main->pack': (p: number) => Math.sqrt(p),
};

describe('kymo model', () => {
  test('has a note on metrics that differ in their unit only', async () => {
    const line = (p: number, metric: string): string =>
      JSON.stringify({ params: { p }, value: p, callpath: 'main', metric });
    const mixed = file(
      'u.jsonl',
      [line(1, 'time (s)'), line(2, 'time (s)'), line(4, 'time (ms)')].join('\n'),
    );
    expect((await model(mixed)).text).toMatch(
      /“time \(s\)” and “time \(ms\)” differ in what stands in brackets/,
    );
    const { result } = await model(file('v.jsonl', [line(1, 'time (s)'), line(2, 'visits')].join('\n')));
    expect(result).toMatchObject({ notes: [] });
  });

  test('writes the measurements for Extra-P beside the models', async () => {
    const saved = inFolder('m.extra-p');
    await printed(measured('a.txt', growing), '--measurements', saved);
    const again = await printed(saved);
    expect(again.models.map(({ callPath }) => callPath)).toEqual(['main->solve', 'main->pack', 'main->init']);
    await expect(model(saved, '--measurements', 'm.csv')).rejects.toMatchObject({ reason: 'usage' });
  });

  test('leaves out of a text what has no values at some points, and says so', async () => {
    const points = (all: readonly number[]): readonly object[] =>
      all.map((p) => ({ point: [p], values: [p] }));
    const input = file(
      'gaps.json',
      JSON.stringify({
        parameters: ['p'],
        measurements: {
          main: { time: points([1, 2, 4, 8, 16]) },
          'main->wait': { time: points([2, 4, 8, 16, 32]) },
          'main->work': { time: points([1, 2, 4, 8, 16, 32]) },
        },
      }),
    );
    const [text, json] = [inFolder('gaps.txt'), inFolder('gaps-again.json')];
    const { notes } = await printed(input, '--measurements', text);
    expect(notes).toEqual([
      `${text} lacks “time” of “main” and 1 more: text cannot hold what has no values at some points. As .json or .extra-p it is written whole.`,
    ]);
    expect((await printed(text)).models.map(({ callPath }) => callPath)).toEqual(['main->work']);
    expect(await printed(input, '--measurements', json)).toMatchObject({ notes: [] });
    expect((await printed(json)).models).toHaveLength(3);
  });

  test('lists models by their share of the prediction at ten times the largest value', async () => {
    const { models, parameters, mode } = await printed(measured('a.txt', growing));
    expect(parameters).toEqual(['p']);
    expect(mode).toBe('probable');
    expect(models.map(({ callPath }) => callPath)).toEqual(['main->solve', 'main->pack', 'main->init']);
    const [solve] = models;
    expect(solve?.terms).toMatchObject([{ factors: [{ parameter: 'p', exponent: '1', logExponent: '1' }] }]);
    expect(solve?.predictions).toMatchObject([{ point: [320] }]);
    expect(solve?.predictions[0]?.value).toBeCloseTo(2 + 3 * 320 * Math.log2(320), 4);
    expect(models.reduce((sum, { share = NaN }) => sum + share, 0)).toBeCloseTo(1, 12);
    for (const { predictions } of models)
      for (const { value, low = NaN, high = NaN } of predictions) {
        expect(low).toBeLessThanOrEqual(value);
        expect(high).toBeGreaterThanOrEqual(value);
      }
  });

  test('prints formulas with units, and a sentence where a model is not reliable', async () => {
    const { text } = await model(
      measured('b.txt', { ...growing, few: (p) => (p <= 8 ? 1 : 20 * p) }, [1, 2, 4, 8, 16, 32, 64]),
    );
    expect(text).toContain('time, predicted for p = 640');
    expect(text).toContain('2 s + 3 s · p · log₂ p');
    expect(text).toMatch(/few: The behaviour changes at p = 16/);
  });

  test('predicts the points that are asked for, and refuses others', async () => {
    const input = measured('c.txt', growing);
    const { models } = await printed(input, '--predict', 'p=100', '--predict', 'p=1000');
    expect(models[0]?.predictions.map(({ point }) => point)).toEqual([[100], [1000]]);
    await expect(model(input, '--predict', 'n=100')).rejects.toMatchObject({ reason: 'usage' });
    await expect(model(input, '--predict', 'p=100,n=2')).rejects.toThrow('p=…');
  });

  test('makes what Extra-P makes when asked to, without ranges and verdicts', async () => {
    const { models, mode } = await printed(measured('d.txt', growing), '--mode', 'extra-p');
    expect(mode).toBe('extra-p');
    for (const { verdict, predictions } of models) {
      expect(verdict).toBeUndefined();
      expect(Object.keys(predictions[0] ?? {})).toEqual(['point', 'value']);
    }
  });

  test('says as Extra-P, too, that points are too few, and makes no formula of coordinates that have none', async () => {
    const few = await printed(measured('k.txt', growing, [2, 4, 8]), '--mode', 'extra-p');
    expect(few.models[0]?.verdict).toEqual({
      kind: 'not-enough-data',
      message: 'The formula is not reliable: p has 3 values, and a model needs 5.',
    });
    const negative = file(
      'l.txt',
      'PARAMETER p\nPOINTS -1 2 4 8 16\nREGION f\nDATA 1\nDATA 2\nDATA 3\nDATA 4\nDATA 5\n',
    );
    for (const mode of ['extra-p', 'probable']) {
      const { models } = await printed(negative, '--mode', mode);
      expect(models[0]).toMatchObject({ verdict: { kind: 'unusable' }, terms: [] });
    }
  });

  test('selects metrics and call paths, and names what there is', async () => {
    const input = measured('e.txt', growing);
    expect((await printed(input, '--call-path', 'solve')).models).toHaveLength(1);
    await expect(model(input, '--metric', 'visits')).rejects.toThrow('The metrics are: time.');
  });

  test('reads JSON and leaves out parameters that never change', async () => {
    const points = [2, 4, 8, 16, 32].map((p) => ({ point: [p, 7], values: [p, p] }));
    const input = file(
      'f.json',
      JSON.stringify({ parameters: ['p', 'n'], measurements: { main: { time: points } } }),
    );
    const { parameters, models } = await printed(input);
    expect(parameters).toEqual(['p']);
    expect(models[0]?.predictions[0]?.value).toBeCloseTo(320, 6);
  });

  test('exports expressions that Python computes', async () => {
    const input = measured('g.txt', growing);
    const out = inFolder('models.py');
    await model(input, '--format', 'python', '--out', out);
    const program = `${readFileSync(out, 'utf8')}\nprint(models["main->solve time"](64))\n`;
    expect(Number(execFileSync('python3', ['-c', program], { encoding: 'utf8' }))).toBeCloseTo(
      2 + 3 * 64 * 6,
      6,
    );
  });

  test('exports CSV without formulas of spreadsheets, and names that are no code', async () => {
    const hostile = '=cmd|"x"!A1';
    const input = measured('h.txt', { [hostile]: (p) => p });
    expect((await model(input, '--format', 'csv')).text).toContain(`"'=cmd`);
    const { text } = await model(input, '--format', 'javascript');
    expect(text).toContain(JSON.stringify(`${hostile} time`));
  });

  test('names functions that grow faster than expected, and leaves out those that do not', async () => {
    const input = measured('j.txt', growing);
    const expected = ['--expect', 'solve=O(p)', '--expect', 'main->pack=O(p)', '--expect', 'init=1'];
    const { result, text } = await model(input, ...expected);
    expect((result as { properties: object[] }).properties).toMatchObject([
      {
        kind: 'scales-worse-than-expected',
        region: { name: 'solve' },
        callPath: ['main', 'solve'],
        confidence: 1,
      },
    ]);
    expect(text).toContain('solve grows with p · log₂ p, and O(p) is expected');
    await expect(model(input, '--expect', 'solve=O(n)')).rejects.toMatchObject({
      reason: 'expectation-invalid',
    });
    expect((await model(input, '--expect', 'slove=O(p)')).text).toContain('Nothing was measured of “slove”');
    await expect(model(input, '--expect', 'solve=O(p)', '--mode', 'extra-p')).rejects.toMatchObject({
      reason: 'usage',
    });
  });

  test('says what to do with a file that has no measurements', async () => {
    await expect(model(file('i.txt', 'hello'))).rejects.toMatchObject({ reason: 'measurements-invalid' });
    await expect(model(inFolder('missing'))).rejects.toThrow('missing');
  });

  test('shows the models of other measurements beside these, matched by call path', async () => {
    const now = measured('now.txt', { ...growing, 'main->new': () => 1 });
    const before = measured('before.txt', {
      'main->solve': (p) => 4 + 6 * p * Math.log2(p),
      'main->init': () => 5,
      'main->old': () => 1,
    });
    const both = await model(now, '--compare', before, '--predict', 'p=64');
    expect(both.result).toMatchObject({
      compared: {
        input: before,
        models: [
          { callPath: 'main->solve', metric: 'time', ratio: expect.closeTo(2, 6) as number },
          { callPath: 'main->init', metric: 'time', ratio: expect.closeTo(1, 6) as number },
        ],
        onlyHere: 2,
        onlyThere: 1,
      },
    });
    const { text } = both;
    expect(text).toMatch(/predicted for p = 64, compared with .*before\.txt:/);
    expect(text).toMatch(/ 2 +2 s \+ 3 s · p · log₂ p +4 s \+ 6 s · p · log₂ p +main->solve/);
    expect(text).toMatch(/Not there: 2 models \(.*main->pack/);
    expect(text).toMatch(/Only there: 1 model \(main->old\)\./);
    expect((await model(now, '--compare', before, '--models', '1')).text).toMatch(
      /1 more models: --models 2/,
    );
    await expect(model(now, '--compare', before, '--format', 'python')).rejects.toMatchObject({
      reason: 'usage',
    });
    expect(await printed(now)).not.toHaveProperty('compared');
  });
});
