import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import { bytesSource } from '../../src/formats/byteSource';
import { readCube } from '../../src/formats/cube4/read';
import { openIterations } from '../../src/formats/kymo-iterations/read';
import { recordedPartOf } from '../../src/core/profile/recordedPart';
import { readExperiment } from '../../src/measurement/experiments/experimentFile';
import { measure, type MeasureResult } from '../../src/workflows/measure';
import { runDynamics } from '../../src/workflows/dynamics';
import { functionRows } from '../../src/workflows/studies/functionsFile';
import { runContradictions } from '../consistency';
import { cliOutputs, expectNone } from '../refineProgram';
import { changeNamed, functionsUnderWay } from '../../src/workflows/watch/changeRecording';
import { runsUnderWay, type RunUnderWay } from '../../src/workflows/watch';

/** Each step calls `solve` once, and `extra` and `other` three times. It stops when there is a file `stop`. */
const source = `#include <stdio.h>
#include <unistd.h>
__attribute__((noinline)) static double work(double x, int n) { for (int i = 0; i < n; i++) { x = x * 0.999 + i; x -= 1 / x; if (x > 9) x = 1; } return x; }
__attribute__((noinline)) static double solve(double x) { return work(x, 100000); }
__attribute__((noinline)) static double extra(double x) { return work(x, 30000); }
__attribute__((noinline)) static double other(double x) { return work(x, 20000); }
__attribute__((noinline)) static double step(double x) { x = solve(x); for (int i = 0; i < 3; i++) x = other(extra(x)); return x * 0.5; }
int main(void) {
  double x = 1;
  int i = 0;
  for (; access("stop", F_OK) != 0 && i < 1000000; i++) x = step(x);
  printf("%d %g\\n", i, x);
  return 0;
}
`;

let workspace = '';
afterEach(() => rmSync(workspace, { recursive: true, force: true }));

function prepare(): void {
  workspace = mkdtempSync(path.join(tmpdir(), 'kymo switching Größe-'));
  writeFileSync(path.join(workspace, 'main.c'), source);
  writeFileSync(path.join(workspace, 'all.txt'), 'solve\nother\n');
  const build = { command: '${cc} -O2 -g -o program main.c', clean: 'rm -f program' };
  const run = { timeoutSeconds: 1200 };
  const targets = [{ name: 'it', build, executable: 'program', run, phase: 'step' }];
  writeFileSync(path.join(workspace, 'kymo.json'), JSON.stringify({ version: 1, targets }));
}

const signal = new AbortController().signal;
const run = (): Promise<MeasureResult> =>
  measure({ workspace, watched: true, signal, filter: path.join(workspace, 'all.txt') });

/** The run, when it has so many iterations. */
async function begun(iterations = 60): Promise<RunUnderWay> {
  for (;;) {
    const [found] = await runsUnderWay(workspace);
    if (found !== undefined && (found.live.iterations?.written ?? 0) > iterations) return found;
    await pause(100);
  }
}

/** Visits of a region in each iteration. */
function visitsOf(folder: string, region: string): readonly number[] {
  const name = path.join(folder, 'iterations.kymo');
  const file = openIterations(bytesSource(readFileSync(name)), name);
  const { contexts, regions } = file.directory;
  const all: number[] = [];
  for (const { count, contexts: of, visits } of file.samples()) {
    let sum = 0;
    for (let i = 0; i < count; i++)
      if (regions[contexts[of[i] ?? 0]?.region ?? 0]?.name === region) sum += visits[i] ?? 0;
    all.push(sum);
  }
  return all;
}

/** `kymo watch` in another process. */
async function kymoWatch(...words: readonly string[]): Promise<string> {
  const cli = path.resolve(import.meta.dirname, '../../dist/cli.js');
  const given = [cli, 'watch', '--workspace', workspace, ...words];
  return (await promisify(execFile)(process.execPath, given)).stdout;
}

describe('functions that are switched while the program runs', () => {
  it('are recorded from then on or no longer, with exact visits, and say of which part of the run they are', async () => {
    prepare();
    const measuring = run();
    const { folder } = await begun();
    const { change } = await changeNamed(folder, { record: ['extra'], leave: ['other'] });
    expect(change).toMatchObject({ recorded: { count: 1, names: ['extra'] }, leftOut: { names: ['other'] } });
    const soFar = await begun(200);
    await pause(3000);
    expect(soFar.live.recording).toMatchObject({
      functions: 3,
      changes: [{ wish: change.wish, problems: [] }],
    });
    writeFileSync(path.join(workspace, 'stop'), '');
    const { notes, instrumented, profile: file, directory } = await measuring;
    const steps = Number(readFileSync(path.join(folder, 'output.txt'), 'utf8').split(' ')[0]);

    const [extra, other] = [visitsOf(folder, 'extra'), visitsOf(folder, 'other')];
    expect(extra.length).toBe(steps);
    const [on, off] = [extra.findIndex((visits) => visits > 0), other.findIndex((visits) => visits < 3)];
    expect(on).toBeGreaterThan(60);
    // In the iteration in which it is switched, some of its visits.
    expect(new Set(extra.slice(on + 1))).toEqual(new Set([3]));
    expect(new Set(other.slice(0, off))).toEqual(new Set([3]));
    expect(new Set(other.slice(off + 1))).toEqual(new Set([0]));
    expect(new Set(visitsOf(folder, 'solve'))).toEqual(new Set([1]));

    const profile = readCube(readFileSync(file), file);
    const partOf = (name: string) => recordedPartOf(profile.regions.find((region) => region.name === name));
    expect(partOf('solve')).toBeUndefined();
    expect(partOf('extra')?.from).toBeCloseTo(change.seconds, 2);
    expect(partOf('other')).toMatchObject({ from: 0, stretches: 1 });
    expect(partOf('extra')?.to).toBe(partOf('extra')?.ofSeconds);
    expect(notes.join(' ')).toMatch(/extra was recorded from .* on, for .* % of the run/);
    expect(notes.join(' ')).toMatch(/other was recorded until .* s, for .* % of the run/);
    const experiment = await readExperiment(folder);
    expect(experiment.partlyRecorded?.map(({ name }) => name).sort()).toEqual(['extra', 'other']);
    expect(instrumented).toBe(3);
    expect(experiment.instrumented).toBe(3);
    const rows = await functionRows(directory);
    const row = (name: string) => rows.find((one) => one.name === name);
    expect(row('extra')).toMatchObject({ selected: true, decision: { rule: 'switched-on' } });
    expect(row('extra')?.recordedPart?.from).toBeCloseTo(change.seconds, 2);
    expect(row('solve')?.recordedPart).toBeUndefined();
    expect(readdirSync(folder).filter((name) => name.startsWith('live'))).toEqual([]);

    expectNone(runContradictions(folder, cliOutputs));
    const text = cliOutputs.text(['profile', 'show', folder]);
    expect(text).toMatch(/^extra was recorded from .* s on, for .* % of the run\.$/m);
    expect(text).toMatch(/in run i0\.r1.*; 2 functions were recorded in a part of it only\./);

    // A switch is no finding of the program.
    const { result } = await runDynamics(
      { inputs: [path.join(folder, 'iterations.kymo')] },
      { workspace, signal },
    );
    const begins = result.properties.flatMap(({ iterations = [] }) => iterations.map(([from]) => from));
    expect(begins.filter((from) => Math.abs(from - on) <= 3)).toEqual([]);
    expect(result.notes.join(' ')).toMatch(
      /(extra and other|other and extra) were recorded in a part of the run only/,
    );
    expect(result.series.map(({ context }) => context.region.name)).not.toContain('extra');
  });

  it('are named as profiles show them or by patterns; a name that is none is refused with the nearest one', async () => {
    prepare();
    const measuring = run();
    const { folder } = await begun();
    await expect(changeNamed(folder, { record: ['extar'], leave: [] })).rejects.toThrow(
      /no function “extar” \(did you mean extra\?\)/,
    );
    await expect(changeNamed(folder, { record: [], leave: ['step'] })).rejects.toThrow(
      /step stays recorded: it is the phase/,
    );
    const { change } = await changeNamed(folder, { record: ['e*ra', 'main'], leave: [] });
    expect([...change.recorded.names].sort()).toEqual(['extra', 'main']);
    const again = await changeNamed(folder, { record: ['extra'], leave: [] });
    expect(again.change.recorded.count).toBe(0);
    writeFileSync(path.join(workspace, 'stop'), '');
    await measuring;
    await expect(changeNamed(folder, { record: ['extra'], leave: [] })).rejects.toThrow(/is over/);
  });

  it('are those that all watchers want, who lose none of each other’s wishes', async () => {
    prepare();
    const measuring = run();
    const { folder } = await begun();
    const wishes = [
      { record: ['extra'], leave: [] },
      { record: ['main'], leave: [] },
      { record: [], leave: ['other'] },
    ];
    const [printed] = await Promise.all([
      kymoWatch('--leave', 'solve', '--record', 'main'),
      ...wishes.map((wish) => changeNamed(folder, wish)),
    ]);
    expect(printed).toMatch(
      /^At [\d.]+ m?s: (main recorded from then on; )?solve left out from then on\.\n$/,
    );
    await expect(kymoWatch('--record', 'mian')).rejects.toThrow(/no function “mian” \(did you mean main\?\)/);
    await expect(kymoWatch('--record', 'main', '--suspend')).rejects.toThrow(/cannot be used with/);
    const functions = await functionsUnderWay(folder);
    const recorded = functions.filter(({ state }) => state === 'recorded').map(({ name }) => name);
    expect(recorded.sort()).toEqual(['extra', 'main']);
    const { change } = await changeNamed(folder, { record: ['solve'], leave: ['extra'] });
    expect(change).toMatchObject({ recorded: { names: ['solve'] }, leftOut: { names: ['extra'] } });
    writeFileSync(path.join(workspace, 'stop'), '');
    const { notes } = await measuring;
    expect(notes.join(' ')).toMatch(/solve was recorded in 2 stretches from .* on, for/);
  });
});
