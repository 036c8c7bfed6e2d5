import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import type { Property } from '../../src/core/properties/property';
import type { SearchNode, SearchRecord } from '../../src/core/diagnosis/search/searchRecord';
import { searchFileName, searchOf } from '../../src/workflows/diagnosing/live/searchedRun';
import { runsUnderWay } from '../../src/workflows/watch';
import { searchContradictions, type SearchOutput } from '../consistency/search/searchOutput';

/**
 * Each step computes for some milliseconds in `kernel`, five calls below `main`, sleeps for as long in `rest`, and calls `tiny`, which costs more to record than it
 * takes, 5000 times. Stops when there is a file `stop`.
 */
const source = `#include <stdio.h>
#include <unistd.h>
#define APART __attribute__((noinline)) static double
APART kernel(double x, int n) { for (int i = 0; i < n; i++) { x = x * 0.999 + i; x -= 1 / x; if (x > 9) x = 1; } return x; }
APART inner(double x) { for (int i = 0; i < 10; i++) x = kernel(x, 100000); return x; }
APART solve(double x) { return inner(x) + 1; }
APART rest(double x) { usleep(8000); return x + 1; }
APART tiny(double x) { return x * 0.999 + 1e-3; }
APART fold(double x) { for (int i = 0; i < 5000; i++) x = tiny(x); return x; }
APART step(double x) { return fold(rest(solve(x))) + 1; }
int main(void) {
  double x = 1;
  for (int i = 0; access("stop", F_OK) != 0 && i < 1000000; i++) x = step(x);
  printf("%g\\n", x);
  return 0;
}
`;
const kernelLine = source.split('\n').findIndex((line) => line.includes('kernel(double')) + 1;

const cli = path.resolve(import.meta.dirname, '../../dist/cli.js');
let workspace = '';
const running = new Set<ChildProcess>();
afterEach(() => {
  for (const command of running) command.kill('SIGKILL');
  running.clear();
  rmSync(workspace, { recursive: true, force: true });
});

function prepare(): void {
  workspace = mkdtempSync(path.join(tmpdir(), 'kymo diagnose Größe-'));
  writeFileSync(path.join(workspace, 'main.c'), source);
  const build = { command: '${cc} -O2 -g -o program main.c', clean: 'rm -f program' };
  const targets = [{ name: 'it', build, executable: 'program', run: { timeoutSeconds: 1200 } }];
  writeFileSync(path.join(workspace, 'kymo.json'), JSON.stringify({ version: 1, targets }));
}

interface Ended {
  readonly status: number | null;
  readonly output: string;
  readonly log: string;
}
interface Begun {
  readonly command: ChildProcess;
  readonly ended: Promise<Ended>;
}
function begin(...words: readonly string[]): Begun {
  const command = spawn(process.execPath, [cli, 'diagnose', '--workspace', workspace, ...words]);
  running.add(command);
  let [output, log] = ['', ''];
  command.stdout.on('data', (text: Buffer) => (output += text.toString()));
  command.stderr.on('data', (text: Buffer) => (log += text.toString()));
  const ended = new Promise<Ended>((resolve) => {
    command.once('close', (status) => resolve({ status, output, log }));
  });
  return { command, ended };
}
const diagnosed = (...words: readonly string[]): Promise<Ended> => begin(...words).ended;

interface Output {
  readonly run: string;
  readonly strategy: string;
  readonly state: SearchRecord['state'];
  readonly folder: string;
  readonly experiments: number;
  readonly properties: readonly Property[];
  readonly findings: readonly unknown[];
}
const outputOf = ({ output, log }: Ended): Output => {
  expect(output, log).not.toBe('');
  return JSON.parse(output) as Output;
};

/** Nothing in a search that was made while the program ran contradicts anything else in it, or in what is printed of it. */
async function expectAgreement(ended: Ended): Promise<void> {
  const output = JSON.parse(ended.output) as SearchOutput & Output;
  const record = await searchOf(output.folder);
  const { output: text } = await diagnosed(path.join(output.folder, searchFileName), '--tree');
  expect(record && searchContradictions(record, output, text)).toEqual([]);
  expect(record?.largestCost?.share).toBeGreaterThan(0);
}

/** Waits until the search in the run that is under way has found something. @returns its folder */
async function until(holds: (record: SearchRecord) => boolean): Promise<string> {
  for (;;) {
    const [found] = await runsUnderWay(workspace);
    const record = found && (await searchOf(found.folder));
    if (record !== undefined && holds(record)) return found!.folder;
    await pause(100);
  }
}
const isTrue =
  (hypothesis: string, name: string) =>
  ({ nodes }: SearchRecord): boolean =>
    nodes.some((node) => node.truth === 'true' && node.hypothesis === hypothesis && nameOf(node) === name);
const nameOf = ({ focus }: SearchNode): string => focus.Code[1] ?? '';
const stop = (): void => writeFileSync(path.join(workspace, 'stop'), '');

/** Titles of what is found at functions, with their lines. */
const found = ({ properties }: Output): readonly string[] =>
  properties.flatMap(({ id, region }) =>
    region === undefined ? [] : [`${id} ${path.basename(region.file ?? '')}:${region.line ?? ''}`],
  );
const hotFunction = `diagnosis:CPUBound:kernel main.c:${kernelLine}`;
const opinion = ({ run, strategy, state, experiments, findings, properties }: Output): object => ({
  ...{ run, strategy, state, experiments, findings, properties },
});

describe('a search in a program while it runs', () => {
  it('names the hot function with its line, is joined by others, and leaves what it found beside the profile', async () => {
    prepare();
    const first = begin('--conclude-after', '1', '--json', '--fail-on', 'CPUBound');
    await until(isTrue('CPUBound', 'kernel'));
    // A second one joins it, changes a threshold, and goes when it has had its time.
    const words = ['--seconds', '3', '--threshold', 'Blocked=0.05', '--json'];
    const second = await diagnosed(...words, '--fail-on', 'ExcessiveSyncWaitingTime');
    expect(second.log).toContain('Searches in the run of it that is under way.');
    expect(second.log).toContain('A search is under way there');
    expect(second.status, second.log).toBe(0);
    expect(found(outputOf(second))).toContain(hotFunction);
    const folder = await until(({ state }) => state === 'stopped');
    stop();
    const ended = await first.ended;
    expect(ended.status, ended.log).toBe(3);
    const output = outputOf(ended);
    expect(output).toMatchObject({ strategy: 'partially distributed', folder });
    expect(found(output)).toContain(hotFunction);
    expect(found(output).filter((title) => /CPUBound:(main|step|solve|inner)/.test(title))).toEqual([]);
    expect(existsSync(path.join(folder, 'profile.cubex'))).toBe(true);
    const saved = path.join(folder, searchFileName);
    const { nodes = [], hypotheses = [] } = (await searchOf(folder)) ?? {};
    expect(nodes.some((node) => nameOf(node) === 'tiny')).toBe(false);
    expect(hypotheses.find(({ id }) => id === 'Blocked')?.threshold).toBe(0.05);
    const again = await diagnosed(saved, '--json');
    expect(again.status, again.log).toBe(0);
    expect(opinion(outputOf(again))).toEqual(opinion(output));
    await expectAgreement(ended);
    expect(await runsUnderWay(workspace)).toEqual([]);
  });

  it.each([
    ['ca', 'centralised'],
    ['tda', 'truly distributed'],
  ])('ends with the program (%s)', async (name, strategy) => {
    prepare();
    const search = begin('--conclude-after', '2', '--strategy', name, '--json');
    await until(({ nodes }) => nodes.length > 0);
    stop();
    const ended = await search.ended;
    expect(ended.status, ended.log).toBe(0);
    expect(outputOf(ended)).toMatchObject({ strategy, state: 'ended' });
    const saved = path.join(outputOf(ended).folder, searchFileName);
    expect(opinion(outputOf(await diagnosed(saved, '--json')))).toEqual(opinion(outputOf(ended)));
    await expectAgreement(ended);
  });

  it('is cancelled with its program, and says no more than that', async () => {
    prepare();
    const { command, ended } = begin('--conclude-after', '1');
    await until(({ nodes }) => nodes.length > 0);
    command.kill('SIGINT');
    const { status, log } = await ended;
    expect(log).not.toMatch(/AbortError|node:/);
    expect(status, log).not.toBe(0);
    expect(await runsUnderWay(workspace)).toEqual([]);
  });

  it('is refused where it cannot be', async () => {
    prepare();
    const profile = path.resolve('test/fixtures/cube4/lulesh-mpi.cubex');
    const input = await diagnosed(profile, '--conclude-after', '3');
    expect([input.status, input.log]).toEqual([
      2,
      expect.stringContaining('--conclude-after is for a search'),
    ]);
    const published = await diagnosed('--hypotheses', 'published');
    expect([published.status, published.log]).toEqual([2, expect.stringContaining('leave out --hypotheses')]);
    const unknown = await diagnosed('--threshold', 'CPUBond=0.5');
    expect([unknown.status, unknown.log]).toEqual([2, expect.stringContaining('did you mean "CPUBound"')]);
    for (const [option, value] of [
      ['--strategy', 'pca'],
      ['--cost-limit', '91'],
      ['--conclude-after', '0.5'],
      ['--deep-start', '2'],
    ] as const)
      expect((await diagnosed(option, value)).status, option).toBe(2);
    expect(existsSync(path.join(workspace, '.kymo'))).toBe(false);
  });
});
