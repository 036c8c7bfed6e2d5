import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CrossBench, missingTools } from './aarch64Bench';
import { Workbench, type Build, type Environment, type Measured } from './harness';
import { everything, readSites, type SiteKind } from './selection';
import { profileTicks, profileVisits, readTraces, type ReadTrace, type ThreadSums } from './traces';

const native = new Workbench();
const cross = new CrossBench();
afterAll(() => {
  for (const { folder } of [native, cross]) rmSync(folder, { recursive: true, force: true });
});

const numbered = (text: string): ReadonlyMap<number, string> =>
  new Map(text.split(' ').map((name, index) => [index + 1, name]));
const caseNames = numbered(
  'destroyed thrower catcher rethrower level3 level2 level1 jumper after_jump jumping sum big extended pair wide many ' +
    'huge even odd recursive leaf branch leaving waiting handling raising yielding fiber ending forking',
);
const phaseNames = numbered('leaf rare step again parallel forking ending');
const signalNames = numbered('leaf branch wide handling inner working');
const include = `-I${path.resolve(import.meta.dirname, '../../runtime/include')}`;
const traced = { KYMO_TRACE: '64', KYMO_DEPTH_LIMIT: '100000' };
const kinds: readonly SiteKind[] = ['entry', 'sled'];

/** Visits of each thread are those of its profile. */
function expectVisits(measured: Measured): readonly ReadTrace[] {
  const traces = readTraces(measured);
  expect([...traces.keys()].sort()).toEqual(measured.results.map(({ pid }) => pid).sort());
  return measured.results.map(({ pid, threads }) => {
    const trace = traces.get(pid)!;
    for (const [index, sums] of trace.sums.entries()) {
      expect(sums.thread.number).toBe(threads[index]!.number);
      expect(Object.fromEntries(sums.visits)).toEqual(Object.fromEntries(profileVisits(threads[index]!)));
      expect(sums.thread.lost).toBe(0);
    }
    return trace;
  });
}

const crossed = (traces: readonly ReadTrace[]): number =>
  traces.flatMap(({ sums }) => sums).reduce((sum, thread) => sum + thread.crossed + thread.unmatched, 0);

const benches: readonly (readonly [string, Workbench, boolean])[] = [
  ['x86-64', native, true],
  ['aarch64', cross, missingTools.length === 0],
];
describe.each(benches)('traces on %s', (_, bench, isHere) => {
  describe.skipIf(!isHere).each<Build>(kinds.map((kind) => ({ compiler: 'gcc', kind, flags: ['-O2'] })))(
    '$kind',
    (build) => {
      let cases = '';
      let phases = '';
      beforeAll(() => {
        cases = bench.compile(build, 'cases.cpp');
        phases = bench.compile(build, 'phases.c', [include]);
      });

      it('M25: have each visit, nested, with exceptions, jumps, tail calls, fibers and threads', () => {
        const measured = bench.expectSame(cases, build.kind, caseNames, [], traced);
        const traces = expectVisits(measured);
        expect(crossed(traces)).toBe(0);
        expect(traces[0]!.sums.length).toBeGreaterThan(8);
        expect(traces[0]!.sums.some(({ resumed }) => resumed > 0)).toBe(true);
      });

      it.each(['_exit', 'quick_exit', 'exit', 'abort', 'terminate'])(
        'are written when the program ends by %s',
        (how) => {
          expect(
            crossed(expectVisits(bench.expectSame(cases, build.kind, caseNames, ['end', how], traced))),
          ).toBe(0);
        },
      );

      it('of a forked child begin with the calls that are open', () => {
        const measured = bench.expectSame(cases, build.kind, caseNames, ['fork'], traced);
        const traces = expectVisits(measured);
        expect(traces).toHaveLength(2);
        expect(crossed(traces)).toBe(0);
        const child = measured.results.findIndex((result) =>
          measured.results.some((other) => other.pid === result.parent),
        );
        expect(traces[child]!.sums[0]!.resumed).toBeGreaterThan(0);
      });

      it('have the times of the profile, but for the time that its clock lacks', () => {
        const { folder, results } = bench.measure(
          phases,
          [everything(readSites(phases), build.kind, phaseNames)],
          ['threads', '30'],
          traced,
        );
        const [trace] = readTraces({ folder }).values();
        for (const [index, { thread, exclusiveTicks }] of trace!.sums.entries()) {
          const ticks = profileTicks(results[0]!.threads[index]!);
          for (const [slot, inTrace] of exclusiveTicks) {
            const more = inTrace - ticks.get(slot)!;
            expect(more).toBeGreaterThanOrEqual(0);
            expect(more).toBeLessThanOrEqual(thread.removedTicks);
          }
        }
        expect(trace!.sums.length).toBeGreaterThan(1);
      });

      it('of some iterations have what began in them, of all threads', () => {
        const run = (environment: Environment): Measured =>
          bench.measure(
            phases,
            [everything(readSites(phases), build.kind, phaseNames)],
            ['function', '20'],
            { ...traced, ...environment },
            new Map(),
            ['step'],
          );
        const all = run({});
        const some = run({ KYMO_TRACE_ITERATIONS: '3-5' });
        expect(some.outcome).toEqual(all.outcome);
        const step = all.slots.indexOf('step');
        const leaf = all.slots.indexOf('leaf');
        const [whole, part] = [all, some].map((each) => [...readTraces(each).values()][0]!);
        expect(whole!.sums[0]!.visits.get(step)).toBe(20);
        expect(part!.iterations).toMatchObject({ first: 3, last: 5 });
        expect(part!.sums[0]!.visits.get(step)).toBe(3);
        // Iteration i calls the leaf i % 7 + 1 times, from 0 on.
        expect(part!.sums[0]!.visits.get(leaf)).toBe(3 + 4 + 5);
        expect(crossed([part!])).toBe(0);
        expect(part!.sums[0]!.open).toEqual([]);
        expect(some.results[0]!.iterations).toBe(20);
      });
    },
  );
});

describe.each<Build>(kinds.map((kind) => ({ compiler: 'gcc', kind, flags: ['-O2'] })))(
  'traces of measured signal handlers: $kind',
  (build) => {
    it.each(['own', 'other', 'nested', 'preempt'])('%s: each visit, in the order of times', (mode) => {
      const file = native.compile(build, 'signals.cpp');
      const measured = native.measureAll(file, build.kind, signalNames, [mode, '3', '20'], traced);
      expect(measured.outcome).toMatchObject({ status: 3, signal: null });
      expectVisits(measured);
    });

    it.each(['jump', 'leap'])(
      '%s: a jump out of a handler at any instruction leaves a trace that can be read',
      (mode) => {
        const file = native.compile(build, 'signals.cpp');
        const measured = native.measureAll(file, build.kind, signalNames, [mode, '16', '60'], traced);
        expect(measured.outcome).toMatchObject({ status: 3, signal: null });
        // On a busy machine the other threads may have handled all signals before the first one did anything.
        const visits = [...readTraces(measured).values()].flatMap(({ sums }) =>
          sums.map((sum) => sum.visits.size),
        );
        expect(Math.max(...visits)).toBeGreaterThan(0);
      },
    );
  },
);

const full = `
#include "${path.join(import.meta.dirname, 'programs/probes.h')}"
#include <pthread.h>
#include <stdio.h>
PROBE_FOR(1) PROBE_FOR(2) PROBE_FOR(3)
__attribute__((noinline)) int leaf(int x) { PROBE(1); __asm__ volatile("" : "+r"(x)); return x + 1; }
__attribute__((noinline)) int early(int x) { PROBE(2); for (int i = 0; i < 60000; ++i) x = leaf(x); return x; }
__attribute__((noinline)) int late(int x) { PROBE(3); for (int i = 0; i < 60000; ++i) x = leaf(x); return x; }
static void *other(void *x) { for (int i = 0; i < 500; ++i) leaf(i); return x; }
int main(void) {
  pthread_t thread;
  int x = late(early(0));
  pthread_create(&thread, 0, other, 0);
  pthread_join(thread, 0);
  printf("%d\\n", x);
  return 0;
}
`;

describe.each(kinds)('a full buffer: %s', (kind) => {
  const names = numbered('leaf early late');
  let file = '';
  beforeAll(() => {
    const source = path.join(native.folder, `full-${kind}.c`);
    writeFileSync(source, full);
    file = native.compile({ compiler: 'gcc', kind, flags: ['-O2'] }, source);
  });
  const measured = (
    environment: Environment,
  ): { readonly outcome: unknown; readonly sums: readonly ThreadSums[] } => {
    const { outcome, folder, slots } = native.measure(file, [everything(readSites(file), kind, names)], [], {
      KYMO_TRACE: '1',
      ...environment,
    });
    expect(outcome).toEqual(native.run(file, []));
    expect(slots).toContain('late');
    return { outcome, sums: [...readTraces({ folder }).values()][0]!.sums };
  };
  const events = kind === 'entry' ? 240_000 + 2 * 2 + 2 : 240_000 + 2 * 2;
  const capacity = (1 << 20) / 8;

  it('stops, and loses no output', () => {
    const { sums } = measured({});
    const master = sums.find(({ thread }) => thread.number === 0)!;
    // Pages have heads, and the master has them all.
    expect(master.events).toBeGreaterThan(capacity * 0.99);
    expect(master.events).toBeLessThanOrEqual(capacity);
    expect(master.events + master.thread.lost).toBeGreaterThanOrEqual(events - 2);
    expect(master.events + master.thread.lost).toBeLessThanOrEqual(events + 2);
    expect(master.crossed + master.unmatched).toBe(0);
    expect(master.open.length).toBeGreaterThan(0);
    const { lostTime, begin, end } = master.thread;
    expect(lostTime > begin && lostTime < end).toBe(true);
    const second = sums.find(({ thread }) => thread.number === 1)!;
    expect([second.events, second.thread.lost >= 1000]).toEqual([0, true]);
  });

  it('keeps the last events, and room for other threads', () => {
    const { sums } = measured({ KYMO_TRACE_FULL: 'last' });
    const master = sums.find(({ thread }) => thread.number === 0)!;
    expect(master.events + master.thread.lost).toBeGreaterThanOrEqual(events - 2);
    expect(master.events + master.thread.lost).toBeLessThanOrEqual(events + 2);
    expect(master.events).toBeGreaterThan(capacity * 0.8);
    expect(master.crossed).toBe(0);
    // The end of `late` is there, its begin is not.
    expect(master.unmatched).toBeGreaterThan(0);
    expect(master.open).toEqual([]);
    const second = sums.find(({ thread }) => thread.number === 1)!;
    expect([
      second.thread.lost,
      [...second.visits.values()].reduce((sum, count) => sum + count, 0) >= 500,
    ]).toEqual([0, true]);
  });
});

describe('what is wrong', () => {
  let file = '';
  beforeAll(() => {
    file = native.compile({ compiler: 'gcc', kind: 'entry', flags: ['-O2'] }, 'cases.cpp');
  });
  it.each([
    [{ KYMO_TRACE: '0' }, 'KYMO_TRACE is not a number of megabytes: 0'],
    [{ KYMO_TRACE: '12x' }, 'KYMO_TRACE is not a number of megabytes: 12x'],
    [
      { KYMO_TRACE: '64', KYMO_TRACE_ITERATIONS: '5-3' },
      'KYMO_TRACE_ITERATIONS is not a range such as 10-12: 5-3',
    ],
    [
      { KYMO_TRACE: '64', KYMO_TRACE_ITERATIONS: '0-3' },
      'KYMO_TRACE_ITERATIONS is not a range such as 10-12: 0-3',
    ],
  ])('%o: the profile is recorded, and a line says why there is no trace', (environment, message) => {
    const { outcome, results, folder } = native.measureAll(
      file,
      'entry',
      caseNames,
      ['conventions'],
      environment,
    );
    expect(outcome.output).toContain(`kymo: no trace is recorded: ${message}\n`);
    expect(results).toHaveLength(1);
    expect(readdirSync(folder).filter((name) => name.endsWith('.trace'))).toEqual([]);
  });

  it('a file that is too large costs the trace alone', () => {
    const limited = path.join(native.folder, 'limited.sh');
    // In KiB: larger than the result, smaller than a page of events.
    writeFileSync(limited, `#!/bin/bash\nulimit -f 24\nexec ${file} "$@"\n`, { mode: 0o755 });
    const chosen = [everything(readSites(file), 'entry', caseNames)];
    const { outcome, results, folder } = native.measure(limited, chosen, ['conventions'], {
      KYMO_TRACE: '64',
    });
    const plain = native.run(file, ['conventions']);
    expect(outcome).toMatchObject({ status: plain.status, signal: null });
    expect(outcome.output.replace(/^kymo: .*\n/gm, '')).toBe(plain.output);
    expect(outcome.output).toMatch(/^kymo: the trace could not be written: .*File too large$/m);
    expect(results).toHaveLength(1);
    expect(readdirSync(folder).filter((name) => name.endsWith('.trace'))).toEqual([]);
  });
});
