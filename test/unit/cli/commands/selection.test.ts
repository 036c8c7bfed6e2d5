import { mkdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { registerProperties } from '../../../../src/cli/commands/properties';
import { registerSelect } from '../../../../src/cli/commands/select';
import type { CommandResult } from '../../../../src/cli/execution/context';
import { parseFilterSyntax } from '../../../../src/formats/scorep-filter/syntax/parse';
import { sharedData } from '../../../shared';
import { useCommandFolder } from './commandFolder';

const { inFolder, file, run } = useCommandFolder('select');
const kymo = (...words: string[]): Promise<CommandResult> => run([registerProperties, registerSelect], words);

interface Selected {
  readonly selected: readonly { name: string; mangled?: string; reason: { rule: string; value?: number } }[];
  readonly rejected: readonly { name: string; reason: { rule: string } }[];
  readonly prediction?: { overheadPercent: number };
}

const lulesh = sharedData('callgraph/lulesh.mcg');
const profile = sharedData('scorep/lulesh-serial/lulesh.s30.r1/profile.cubex');
const blast = sharedData('scorep/foreign/blast.p64.r1/profile.cubex');
const tiny = sharedData('scorep/tiny/tiny.256.unfiltered');

describe('kymo select', () => {
  it.skipIf(tiny === undefined)(
    'by TOR leaves out what is too expensive to record, by POR no more, and its filter for Score-P is valid',
    async () => {
      const filter = inFolder('tor.filter');
      const tor = (await kymo('select', '--strategy', 'tor', '--profile', tiny!, '--filter', filter))
        .result as Selected;
      const por = (await kymo('select', '--strategy', 'por', '--profile', tiny!)).result as Selected;
      const removed = ({ rejected }: Selected, rule: string): readonly string[] =>
        rejected.flatMap((f) => (f.reason.rule === rule ? [f.name] : []));
      const black = removed(tor, 'total-overhead');
      expect(black).toContain('int Grid::width() const');
      expect(black).toEqual(expect.arrayContaining([...removed(por, 'prolog-overhead')]));
      expect(tor.selected.map((f) => f.name)).toContain('int Finder::run(Pos, Pos)');
      expect(parseFilterSyntax(readFileSync(filter, 'utf8')).diagnostics).toEqual([]);
    },
  );

  it.skipIf(lulesh === undefined)('cannot tell without a profile what a function costs', async () => {
    await expect(kymo('select', '--strategy', 'tor', '--graph', lulesh!)).rejects.toMatchObject({
      reason: 'usage',
      message: expect.stringContaining('--profile') as string,
    });
  });

  it.skipIf(lulesh === undefined)(
    'without a profile is the static selection, and its filter holds these functions',
    async () => {
      const filter = inFolder('sub', 'lulesh.filter');
      const { result, text } = await kymo('select', '--graph', lulesh!, '--filter', filter);
      const { selected, rejected } = result as Selected;
      expect(selected).toHaveLength(40);
      expect(selected.length + rejected.length).toBe(3728);
      expect(selected.find((f) => f.mangled === 'main')?.reason).toMatchObject({
        rule: 'statements',
        value: 3193,
        threshold: 44,
      });
      expect(text).toContain('40 of 3728 functions selected.');
      const written = readFileSync(filter, 'utf8');
      expect(parseFilterSyntax(written).diagnostics).toEqual([]);
      expect(written.match(/^ {2}INCLUDE /gm)).toHaveLength(40);
    },
  );

  it.skipIf(lulesh === undefined)('takes the other cut-offs', async () => {
    const count = async (cutoff: string): Promise<number> =>
      ((await kymo('select', '--graph', lulesh!, '--cutoff', cutoff)).result as Selected).selected.length;
    expect([await count('median'), await count('half-max')]).toEqual([195, 2]);
  });

  it.skipIf(lulesh === undefined || profile === undefined)(
    'with a profile keeps the hot spots within the target',
    async () => {
      const { result } = await kymo(
        'select',
        '--graph',
        lulesh!,
        '--profile',
        profile!,
        '--mode',
        'filter-only',
      );
      const { selected, rejected, prediction } = result as Selected;
      expect(prediction!.overheadPercent).toBeLessThan(5);
      const hot = selected.filter((f) => f.reason.rule === 'hot-spot').map((f) => f.mangled ?? f.name);
      expect(hot.join('\n')).toMatch(/CalcFBHourglassForceForElems/);
      expect(selected.length + rejected.length).toBeGreaterThanOrEqual(3728);
    },
  );

  it.skipIf(tiny === undefined)(
    'needs no call graph, and drops the tiny functions with the cost',
    async () => {
      const { result, text } = await kymo('select', '--profile', tiny!, '--exclude', 'main');
      const { selected, rejected } = result as Selected;
      const less = rejected.find((f) => f.name.includes('Heap::less'));
      expect(less?.reason.rule).toMatch(/too-expensive|not-hot/);
      expect(rejected.find((f) => f.name.includes('main('))?.reason.rule ?? 'pinned-out').toBe('pinned-out');
      expect(selected.length).toBeGreaterThan(0);
      expect(text).toMatch(/Predicted overhead/);
    },
  );

  it.skipIf(blast === undefined || profile === undefined)(
    'by imbalance keeps what is unbalanced over ranks, by the parameters that are given',
    async () => {
      const select = async (...words: string[]): Promise<Selected> =>
        (await kymo('select', '--strategy', 'imbalance', '--profile', blast!, ...words)).result as Selected;
      const found = await select();
      expect(found.selected.map(({ name, reason }) => [name, reason.rule])).toEqual([
        ['ComputeCornerForces', 'imbalanced'],
        ['main', 'entry'],
      ]);
      // (max − mean) ÷ max · 64 ÷ 63, by hand from the 64 values of the file; recording costs 70 ns of each visit.
      expect(found.selected[0]?.reason.value).toBeCloseTo((1 - 0.87024958741) * (64 / 63), 6);
      const high = await select('--imbalance', 'metric=efficiency', '--imbalance', 'imbalanceThreshold=1.2');
      expect(high.selected.map(({ name }) => name)).toEqual(['main']);
      const usual = await select('--imbalance', 'metric=efficiency');
      expect(usual.selected.map(({ name }) => name)).toEqual(['ComputeCornerForces', 'main', 'Eval_dv_dt']);
      await expect(select('--imbalance', 'metric=Efficiency')).rejects.toThrow(/is one of .*efficiency/);
      await expect(select('--imbalance', 'threshold=1')).rejects.toThrow(
        /knows no “threshold”.*imbalanceThreshold/,
      );
      await expect(select('--imbalance', 'contextSteps=1.5')).rejects.toThrow(/a whole number above 0/);
      await expect(select('--imbalance', 'childFraction=0')).rejects.toThrow(/a number above 0, not “0”/);
      await expect(kymo('select', '--strategy', 'imbalance', '--profile', profile!)).rejects.toThrow(
        'An imbalance is between ranks or threads: the profile has only one of them.',
      );
    },
  );

  it('says what is missing or wrong', async () => {
    await expect(kymo('select')).rejects.toMatchObject({ reason: 'usage' });
    await expect(kymo('select', '--graph', inFolder('none.mcg'))).rejects.toMatchObject({
      reason: 'file-missing',
    });
    await expect(kymo('select', '--graph', file('bad.mcg', '{'))).rejects.toMatchObject({
      reason: 'metacg-invalid',
    });
    await expect(kymo('select', '--profile', inFolder())).rejects.toMatchObject({ reason: 'no-profile' });
  });
});

describe('kymo properties', () => {
  it.skipIf(tiny === undefined)('reads an experiment folder, and the limit decides the exit', async () => {
    const { result, text, limitExceeded } = await kymo('properties', tiny!, '--fail-above', '40');
    const { properties } = result as { properties: { id: string; severity: number }[] };
    expect(properties.map((p) => p.id)).toContain('excessive-overhead:run');
    expect(limitExceeded).toBe(true);
    expect(text.split('\n')[0]).toMatch(/severity\s+kind\s+what/);
  });

  it.skipIf(profile === undefined)('keeps ids of several files apart', async () => {
    const { result } = await kymo('properties', profile!, tiny!);
    const ids = (result as { properties: { id: string }[] }).properties.map((p) => p.id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.every((id) => id.includes('#'))).toBe(true);
  });

  it('refuses what is no profile', async () => {
    mkdirSync(inFolder('empty'));
    await expect(kymo('properties', inFolder('empty'))).rejects.toMatchObject({
      reason: 'no-profile',
    });
    await expect(kymo('properties', file('x.cubex', 'no cube'))).rejects.toThrow(/x\.cubex/);
  });
});
