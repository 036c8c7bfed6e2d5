import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parse } from 'jsonc-parser';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Decision } from '../../src/core/selection/selection';
import type { RefineResult } from '../../src/workflows/studies/refine.types';
import { studyContradictions } from '../consistency';
import { cliOutputs, kymo, expectNone } from '../refineProgram';

const example = path.resolve(import.meta.dirname, '../../examples/treecode');

/** Called for each pair of a particle and a node, or for each cell: nothing could make them worth recording. */
const tiny = ['geometry::distance2', 'geometry::wrapped', 'geometry::octant', 'criteria::far_enough'];
/** Called some times a step. */
const drivers = ['simulation::step', 'walk::forces', 'field::smooth', 'tree::build_tree'];

interface Chosen {
  readonly selected: readonly { readonly name: string }[];
  readonly rejected: readonly { readonly name: string; readonly reason: { readonly rule: string } }[];
}

/** The tree code by the strategies of performance-dynamics §13.4, on the embedded runtime. Judged by counts: times are the benches' matter. */
describe('strategies on a real program', () => {
  let workspace: string;
  const byStrategy = new Map<string, RefineResult>();

  beforeAll(() => {
    workspace = mkdtempSync(path.join(tmpdir(), 'kymo strategies é-'));
    cpSync(example, workspace, { recursive: true, filter: (file) => !file.includes('.kymo') });
    const config = parse(readFileSync(path.join(workspace, 'kymo.json'), 'utf8')) as {
      readonly version: 1;
      readonly targets: readonly [{ readonly run: object }];
    };
    const [target] = config.targets;
    const small = { ...target, run: { ...target.run, arguments: ['3000', '10', '24'] }, repetitions: 1 };
    writeFileSync(path.join(workspace, 'kymo.json'), JSON.stringify({ version: 1, targets: [small] }));
    for (const strategy of ['tor', 'agor']) {
      const words = ['refine', '--fresh', '--strategy', strategy, '--iterations', '8'];
      byStrategy.set(strategy, kymo([...words, '--workspace', workspace]) as RefineResult);
    }
  });
  afterAll(() => rmSync(workspace, { recursive: true, force: true }));

  const resultOf = (strategy: string): RefineResult => {
    const result = byStrategy.get(strategy);
    if (result === undefined) throw new Error(`${strategy} has no result`);
    return result;
  };
  const decisionsOf = ({ directory }: RefineResult, iteration: number): readonly Decision[] => {
    const file = path.join(directory, `i${iteration}`, 'selection.json');
    return (JSON.parse(readFileSync(file, 'utf8')) as { readonly decisions: readonly Decision[] }).decisions;
  };
  const namesOf = ({ directory }: RefineResult, keys: readonly string[]): readonly string[] => {
    const { functions } = JSON.parse(readFileSync(path.join(directory, 'functions.json'), 'utf8')) as {
      readonly functions: readonly { readonly key: string; readonly name: string }[];
    };
    return keys.map((key) => functions.find((f) => f.key === key)?.name ?? key);
  };
  const recordedIn = (result: RefineResult, iteration: number): readonly string[] =>
    namesOf(
      result,
      decisionsOf(result, iteration).flatMap(({ key, selected }) => (selected ? [key] : [])),
    );

  it('TOR records every function with a site once, and then none of the tiny ones', () => {
    const result = resultOf('tor');
    expect(recordedIn(result, 0)).toEqual(expect.arrayContaining([...tiny, ...drivers]));
    expect(result.removed?.map((f) => f.name)).toEqual(expect.arrayContaining(tiny));
    const final = recordedIn(result, result.iterations.length - 1);
    expect(final).toEqual(expect.arrayContaining(drivers));
    for (const name of tiny) expect(final).not.toContain(name);
    const [first] = result.iterations;
    expect(result.iterations.at(-1)?.visits).toBeLessThan((first?.visits ?? 0) / 50);
    expect(result.builds).toBe(1);
  });

  it.each(['tor', 'agor'])('nothing in the outputs of %s contradicts anything else in them', (strategy) => {
    expectNone(studyContradictions(resultOf(strategy), cliOutputs));
  });

  it('AGOR goes from everything to entry and phase to what the analysis asks for, and nothing is built again', () => {
    const result = resultOf('agor');
    expect(result.builds).toBeLessThanOrEqual(1);
    expect([...recordedIn(result, 1)].sort()).toEqual(['simulation::step', 'treecode']);
    expect(recordedIn(result, 2).length).toBeGreaterThan(2);
    const black = new Set<string>();
    const sets: string[] = [];
    const builds = new Set<string>();
    for (const { index } of result.iterations) {
      const decisions = decisionsOf(result, index);
      for (const { key, reason } of decisions) if (reason.rule === 'total-overhead') black.add(key);
      const selected = decisions.flatMap(({ key, selected: is }) => (is ? [key] : []));
      expect(selected.filter((key) => black.has(key))).toEqual([]);
      sets.push(selected.sort().join());
      builds.add(buildIdOf(result, index));
    }
    expect(namesOf(result, [...black])).toEqual(expect.arrayContaining(tiny));
    for (const [at, set] of sets.slice(1).entries())
      expect(set, 'a run needs another set').not.toBe(sets[at]);
    expect(builds.size, 'one executable for all sets').toBe(1);
  });

  it('of one profile with everything POR removes no function that TOR would keep', () => {
    const profile = experimentOf(resultOf('tor'), 0);
    const removed = (strategy: string): readonly string[] => {
      const { rejected } = kymo(['select', '--strategy', strategy, '--profile', profile]) as Chosen;
      return rejected.flatMap(({ name, reason }) => (reason.rule.endsWith('-overhead') ? [name] : []));
    };
    const [tor, por] = [removed('tor'), removed('por')];
    expect(tor).toEqual(expect.arrayContaining(tiny));
    expect(por.length).toBeGreaterThan(0);
    expect(tor).toEqual(expect.arrayContaining([...por]));
  });

  it('writes a filter for Score-P that is valid and leaves the black list out', () => {
    const { filter } = resultOf('tor');
    const { diagnostics } = kymo(['filter', 'check', filter]) as { readonly diagnostics: readonly unknown[] };
    expect(diagnostics).toEqual([]);
    const text = readFileSync(filter, 'utf8');
    expect(text).toContain('INCLUDE MANGLED __simulation_MOD_step');
    expect(text).not.toContain('__geometry_MOD_distance2');
  });
});

function experimentOf({ directory }: RefineResult, iteration: number): string {
  const folder = path.join(directory, `i${iteration}`);
  const name = readdirSync(folder).find((entry) => entry.startsWith('measured'));
  return path.join(folder, name ?? 'none');
}

function buildIdOf(result: RefineResult, iteration: number): string {
  const file = path.join(experimentOf(result, iteration), 'experiment.json');
  return (JSON.parse(readFileSync(file, 'utf8')) as { readonly buildId: string }).buildId;
}
