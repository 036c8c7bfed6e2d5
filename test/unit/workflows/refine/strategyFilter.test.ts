import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decide } from '../../../../src/formats/scorep-filter/effects/decide';
import { diffFilters, unifiedDiff } from '../../../../src/formats/scorep-filter/effects/diffFilters';
import { parseFilterSyntax, parseFilter } from '../../../../src/formats/scorep-filter/syntax/parse';
import { writeFunctions } from '../../../../src/workflows/studies/functionsFile';
import { roundFilter } from '../../../../src/workflows/studies/rounds';
import { listPins, pinFromFile, undoPin } from '../../../../src/workflows/pins';
import { functionTable } from '../../../../src/workflows/refine/results/functionTable';
import { refinementLoop } from '../../../../src/workflows/refine/loop/loop';
import type { LoopResult } from '../../../../src/workflows/refine/loop/loop.types';
import { sitesOf } from '../../core/selection/simulatedProgram';
import { iterationOf, studyFileOf } from '../studyFiles';
import { nestedLoops } from './nestedLoops';
import { SimulatedBench, simulatedInput } from './simulatedBench';

let workspace = '';
let study = '';
let result: LoopResult;

/** A study of the nested loops refined by TOR, with everything recorded in iteration 0. */
beforeAll(async () => {
  workspace = await mkdtemp(path.join(tmpdir(), 'kymo-strategy-filter-'));
  study = path.join(workspace, '.kymo', 't', 's');
  const bench = new SimulatedBench(nestedLoops);
  result = await refinementLoop(
    simulatedInput(nestedLoops, { options: { strategy: 'tor', phase: new Set(['phase22']) } }),
    bench,
  );
  for (const [iteration, { decisions }] of bench.selections.entries()) {
    await mkdir(path.join(study, `i${iteration}`), { recursive: true });
    await writeFile(
      path.join(study, `i${iteration}`, 'selection.json'),
      JSON.stringify({ kymoSelection: 1, id: '0', decisions: [...decisions.values()] }),
    );
  }
  const functions = functionTable(result, { sites: sitesOf(nestedLoops) });
  await writeFunctions(study, functions);
  await writeFile(
    path.join(study, 'study.json'),
    JSON.stringify(studyFileOf({ iterations: [iterationOf(0), iterationOf(1)] })),
  );
});
afterAll(() => rm(workspace, { recursive: true, force: true }));

describe('the filter of a strategy', () => {
  it('is a Score-P filter without a complaint that decides as the strategy did', async () => {
    const text = await roundFilter(study, 1);
    expect(parseFilterSyntax(text).diagnostics).toEqual([]);
    const filter = parseFilter(text, 'tor.filter');
    for (const { key, selected } of result.selection.decisions.values())
      for (const when of ['compile-time', 'run-time'] as const)
        expect(decide(filter, { name: key, mangledName: key }, when).instrumented, key).toBe(selected);
  });

  it('shows as a difference what the strategy removed, before anybody uses it', async () => {
    const [before, after] = [await roundFilter(study, 0), await roundFilter(study, 1)];
    const functions = nestedLoops.functions.map(({ name }) => ({ name, mangledName: name }));
    const { added, removed } = diffFilters(parseFilter(before, 'i0'), parseFilter(after, 'i1'), functions);
    expect(added).toEqual([]);
    expect(removed.map((at) => functions[at]?.name)).toEqual(['loop27', 'loop31']);
    const patch = unifiedDiff(before, after, 'i0', 'i1').split('\n');
    expect(patch).toEqual(expect.arrayContaining(['-  INCLUDE MANGLED loop27', '-  INCLUDE MANGLED loop31']));
  });

  it('once taken over is undone as one step', async () => {
    const file = path.join(workspace, 'everything.filter');
    await writeFile(file, await roundFilter(study, 0));
    const { pins } = await pinFromFile({ workspace, file });
    expect(pins.map(({ key, state }) => `${state} ${key}`)).toEqual(['in loop27', 'in loop31']);
    const undone = await undoPin(workspace);
    expect(undone.message).toContain('Undone: Applied everything.filter: 2 in, 0 out');
    expect((await listPins(workspace)).pins).toEqual([]);
  });
});
