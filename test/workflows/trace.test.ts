import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findProgram } from '../../src/measurement/launch/findProgram';
import { measure, type MeasureOptions, type MeasureResult } from '../../src/workflows/measure';
import { readTraces } from '../../src/workflows/comparing/traceInputs';
import { runContradictions } from '../consistency';
import { failureOf } from '../processes';
import { cliOutputs, expectNone } from '../refineProgram';
import { printedKinds, profileFacts, traceFacts, type TraceFacts } from '../traceFacts';

const mpiProgram = `#include <kymo.h>
#include <mpi.h>
static int rank, size, out[1000], in[1000];
__attribute__((noinline)) double work(int steps) {
  double sum = 0;
  for (int step = 1; step < steps; ++step) sum += 1.0 / step;
  return sum;
}
__attribute__((noinline)) void ring(MPI_Comm comm, int count) {
  int me, all;
  MPI_Comm_rank(comm, &me), MPI_Comm_size(comm, &all);
  MPI_Request requests[2];
  MPI_Irecv(in, count, MPI_INT, (me + all - 1) % all, 1, comm, &requests[0]);
  MPI_Isend(out, count, MPI_INT, (me + 1) % all, 1, comm, &requests[1]);
  work(1000 * (rank + 1));
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  MPI_Sendrecv(out, 3, MPI_INT, (me + 1) % all, 2, in, 3, MPI_INT, (me + all - 1) % all, 2, comm, MPI_STATUS_IGNORE);
}
__attribute__((noinline)) void step(int number, MPI_Comm half) {
  ring(MPI_COMM_WORLD, 10 + number);
  ring(half, 5);
  if (rank == 0) MPI_Send(out, 7, MPI_INT, size - 1, 3, MPI_COMM_WORLD);
  if (rank == size - 1) MPI_Recv(in, 1000, MPI_INT, MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Allreduce(out, in, 4, MPI_INT, MPI_SUM, half);
  MPI_Bcast(out, 6, MPI_INT, 1, MPI_COMM_WORLD);
}
int main(int count, char **words) {
  MPI_Comm half;
  MPI_Request request;
  MPI_Init(&count, &words);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank), MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
  for (int number = 0; number < 6; ++number) {
    KYMO_PHASE_BEGIN("turn");
    step(number, half);
    KYMO_PHASE_END("turn");
  }
  MPI_Request persistent[2];
  MPI_Send_init(out, 2, MPI_INT, (rank + 1) % size, 4, MPI_COMM_WORLD, &persistent[0]);
  MPI_Recv_init(in, 2, MPI_INT, (rank + size - 1) % size, 4, MPI_COMM_WORLD, &persistent[1]);
  for (int again = 0; again < 3; ++again) MPI_Startall(2, persistent), MPI_Waitall(2, persistent, MPI_STATUSES_IGNORE);
  MPI_Request_free(&persistent[0]), MPI_Request_free(&persistent[1]);
  MPI_Iallreduce(out, in, 8, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Irecv(in, 1, MPI_INT, 0, 99, MPI_COMM_WORLD, &request);
  MPI_Cancel(&request), MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
`;

const openmpProgram = `#include <stdio.h>
#include <omp.h>
__attribute__((noinline)) double work(int steps) {
  double sum = 0;
  for (int step = 1; step < steps; ++step) sum += 1.0 / step;
  return sum;
}
int main(void) {
  double sum = 0;
  for (int round = 0; round < 20; ++round) {
#pragma omp parallel num_threads(3) reduction(+ : sum)
    {
      for (int i = 0; i <= omp_get_thread_num(); ++i) sum += work(1000);
#pragma omp barrier
      sum += work(10);
    }
  }
  printf("%g\\n", sum);
  return 0;
}
`;

/** Calls so many functions that a megabyte cannot hold them: 65,536 visits are 1 MiB. */
const longProgram = `#include <stdio.h>
__attribute__((noinline)) int leaf(int x) { __asm__ volatile("" : "+r"(x)); return x + 1; }
__attribute__((noinline)) int early(int x) { for (int i = 0; i < 100000; ++i) x = leaf(x); return x; }
__attribute__((noinline)) int late(int x) { for (int i = 0; i < 100000; ++i) x = leaf(x); return x; }
int main(void) {
  printf("%d\\n", late(early(0)));
  return 0;
}
`;

const ready = existsSync(path.resolve('dist/wrapper.js'));
const haveMpi =
  ready && (await findProgram('mpicc')) !== undefined && (await findProgram('mpirun')) !== undefined;
let workspace: string;
beforeAll(() => {
  workspace = mkdtempSync(path.join(tmpdir(), 'kymo trace ü '));
  writeFileSync(path.join(workspace, 'ranks.c'), mpiProgram);
  writeFileSync(path.join(workspace, 'team.c'), openmpProgram);
  writeFileSync(path.join(workspace, 'long.c'), longProgram);
  const target = (name: string, compiler: string, flags: string, rest: object): object => ({
    name,
    build: { command: `${compiler} -g -O2 ${flags} -o ${name} ${name}.c`, clean: `rm -f ${name}` },
    executable: `./${name}`,
    repetitions: 1,
    ...rest,
  });
  const targets = [
    target('ranks', 'KYMO_CC=mpicc ${cc}', '', { run: { launcher: { kind: 'mpirun', ranks: 4 } } }),
    target('named', 'KYMO_CC=mpicc ${cc}', '', {
      build: { command: 'KYMO_CC=mpicc ${cc} -g -O2 -o named ranks.c', clean: 'rm -f named' },
      run: { launcher: { kind: 'mpirun', ranks: 2 } },
      phase: 'step',
    }),
    target('team', '${cc}', '-fopenmp', {}),
    target('long', '${cc}', '', {}),
    target('always', '${cc}', '', {
      build: { command: '${cc} -g -O2 -o always long.c', clean: 'rm -f always' },
      trace: { memory: 64 },
    }),
    target('foreign', '${cc}', '', { backend: 'scorep' }),
  ];
  writeFileSync(path.join(workspace, 'kymo.json'), JSON.stringify({ version: 1, targets }));
  // Every function is recorded, whatever a first selection would leave out.
  writeFileSync(
    path.join(workspace, 'all.txt'),
    ['main', 'work', 'ring', 'step', 'leaf', 'early', 'late'].join('\n'),
  );
});
afterAll(() => rmSync(workspace, { recursive: true, force: true }));

type Traced = MeasureResult & { readonly trace: NonNullable<MeasureResult['trace']> };

async function traced(target: string, trace: MeasureOptions['trace'] = {}): Promise<Traced> {
  const filter = path.join(workspace, 'all.txt');
  const signal = new AbortController().signal;
  const result = await measure({ workspace, target, trace, filter, signal });
  if (result.trace === undefined) throw new Error(`no trace: ${result.notes.join('\n')}`);
  return { ...result, trace: result.trace };
}

/** Visits of `ring` by rank 0 in an iteration, and how many iterations it has. */
function iterationOf(file: string, number: number): { readonly rings: number; readonly last: number } {
  const { views, table } = readTraces([
    { given: file, name: 'A', part: { ranks: [[0, 0]], iterations: [number, number] } },
  ]);
  const [view] = views;
  const trace = view?.traces[0]?.read();
  const rings = [...(trace?.key ?? [])].map((key, entry) => {
    const called = table.keys[key];
    return called?.kind === 'context' && called.name.startsWith('ring') ? (trace?.count[entry] ?? 0) : 0;
  });
  return { rings: rings.reduce((sum, count) => sum + count, 0), last: view?.iterations ?? 0 };
}

/** Whatever the trace says agrees with the profile of the same run, and the archive with itself. */
function expectAgreement({ trace, profile }: Traced): TraceFacts {
  const facts = traceFacts(trace.file);
  const inProfile = profileFacts(trace.file);
  expect(path.dirname(trace.file)).toBe(path.dirname(profile));
  expect(facts.notes).toEqual([]);
  expect(facts.visits).toEqual(inProfile.visits);
  expect(facts.sent).toEqual(inProfile.sent);
  expect(facts.received).toEqual(facts.sent);
  // The clock of the profile stands still while a thread is pre-empted, that of the trace never does.
  for (const [name, seconds] of Object.entries(inProfile.exclusiveSeconds))
    if (name in facts.visits)
      expect(facts.exclusiveSeconds[name], name).toBeGreaterThan(seconds * 0.999 - 1e-6);
  const printed = printedKinds(trace.file);
  if (printed !== undefined) expect(printed).toEqual(facts.kinds);
  expect(Object.values(facts.kinds).reduce((sum, count) => sum + count, 0)).toBe(trace.events);
  expect(readdirSync(path.dirname(trace.file)).sort()).not.toContain('results');
  return facts;
}

describe.skipIf(!haveMpi)('the trace of an MPI program', () => {
  it('has the visits of the profile, and the messages of its communication matrix', async () => {
    const result = await traced('ranks');
    const { kinds, sent } = expectAgreement(result);
    expect(result.trace.lostEvents).toBe(0);
    expectNone(runContradictions(path.dirname(result.profile), cliOutputs));
    // 6 steps: rings in the world and in each half.
    expect(sent['0>1']).toEqual([6 * 2 + 3, 4 * ((10 + 15) * 3 + 6 * 3) + 3 * 8]);
    expect(sent['0>3']).toEqual([6, 6 * 28]);
    expect(sent['0>2']).toEqual([6 * 2, 6 * (20 + 12)]);
    expect(kinds).toMatchObject({
      MPI_COLLECTIVE_BEGIN: 4 * 13,
      MPI_COLLECTIVE_END: 4 * 13,
      NON_BLOCKING_COLLECTIVE_REQUEST: 4,
      NON_BLOCKING_COLLECTIVE_COMPLETE: 4,
      MPI_ISEND: 4 * 15,
      MPI_ISEND_COMPLETE: 4 * 15,
      MPI_IRECV_REQUEST: 4 * 16,
      MPI_IRECV: 4 * 15,
      MPI_REQUEST_CANCELLED: 4,
      MPI_SEND: 6 * (4 * 2 + 1),
      MPI_RECV: 6 * (4 * 2 + 1),
    });
  });

  it('has some iterations alone, with all that began in them', async () => {
    const result = await traced('ranks', { iterations: { first: 2, last: 3 } });
    const { kinds, visits, notes } = traceFacts(result.trace.file);
    expect(notes).toEqual([`${result.trace.file} has iterations 2 to 3 of “turn” only.`]);
    for (let rank = 0; rank < 4; rank++)
      expect(visits).toMatchObject({ [`${rank}.0 step`]: 2, [`${rank}.0 ring`]: 4, [`${rank}.0 work`]: 4 });
    expect(kinds).toMatchObject({ MPI_ISEND: 4 * 4, MPI_IRECV: 4 * 4, MPI_COLLECTIVE_END: 4 * 4 });
    expect(Object.keys(visits).some((name) => name.endsWith(' main'))).toBe(false);
    expect(result.notes).toContain('The trace has iterations 2 to 3 only, and the calls that began in them.');
    expect(printedKinds(result.trace.file) ?? kinds).toEqual(kinds);
  });

  it.each(['ranks', 'named'])('has the iterations of %s with their numbers', async (name) => {
    const { trace } = await traced(name, { iterations: { first: 4, last: 9 } });
    const phase = name === 'ranks' ? 'turn' : 'step';
    const { kinds, notes } = traceFacts(trace.file);
    expect(notes).toEqual([`${trace.file} has iterations 4 to 6 of “${phase}” only.`]);
    expect(printedKinds(trace.file) ?? kinds).toEqual(kinds);
    expect(iterationOf(trace.file, 5)).toEqual({ rings: 2, last: 6 });
    expect(() => iterationOf(trace.file, 3)).toThrow(/has iterations 4–6 and no iteration 3/);
    const whole = await traced(name);
    expect(iterationOf(whole.trace.file, 1)).toEqual({ rings: 2, last: 6 });
  });

  it('says when the iterations did not come', async () => {
    const result = await traced('ranks', { iterations: { first: 7, last: 9 } });
    expect(result.trace.events).toBe(0);
    expect(result.notes).toContain(
      'The trace has no events: the run has 6 iterations, and iterations 7 to 9 did not come.',
    );
    expect(printedKinds(result.trace.file) ?? {}).toEqual({});
  });
});

describe.skipIf(!ready)('the trace of a program', () => {
  it('with OpenMP has its threads as locations', async () => {
    const { visits } = expectAgreement(await traced('team'));
    const [master, ...others] = [0, 1, 2].map((thread) => visits[`0.${thread} work`]);
    expect(master).toBe(40);
    // Threads are numbered as they are seen first.
    expect(new Set(others)).toEqual(new Set([60, 80]));
  });

  it('is recorded by a target that wants one', async () => {
    const { trace } = await measure({ workspace, target: 'always', signal: new AbortController().signal });
    expect(existsSync(trace?.file ?? '')).toBe(true);
  });

  it.each(['stop', 'last'] as const)(
    'that needs more memory than it may have says what is lost (%s)',
    async (full) => {
      const result = await traced('long', { memoryMegabytes: 1, full });
      const { visits, kinds, notes } = traceFacts(result.trace.file);
      expect(notes).toEqual([
        expect.stringMatching(
          full === 'last'
            ? /traces\.otf2 lacks .* events .*: .* of rank 0 up to /
            : /traces\.otf2 lacks .* events .*: .* of rank 0 from .* on/,
        ),
      ]);
      expect(printedKinds(result.trace.file) ?? kinds).toEqual(kinds);
      const all = profileFacts(result.trace.file).visits;
      expect(all).toMatchObject({ '0.0 leaf': 200_000, '0.0 early': 1, '0.0 late': 1 });
      // Leaves of calls that were lost are dropped, and calls that are open are closed.
      expect(kinds.ENTER).toBe(kinds.LEAVE);
      const { lostEvents } = result.trace;
      expect(lostEvents).toBeGreaterThan(200_000);
      const unmatched = full === 'last' ? 2 : 0;
      const closed = full === 'stop' ? 2 : 0;
      expect(result.trace.events).toBe(2 * 200_003 - lostEvents - unmatched + closed);
      expect(visits['0.0 leaf']).toBeGreaterThan(50_000);
      expect(visits['0.0 early']).toBe(full === 'stop' ? 1 : undefined);
      expect(visits['0.0 late']).toBeUndefined();
      const what =
        full === 'last'
          ? /events of the master thread|of the master thread of rank 0 up to/
          : /of the master thread of rank 0 from .* on/;
      expect(result.notes.join('\n')).toMatch(what);
      expect(result.notes.join('\n')).toContain(
        full === 'last'
          ? 'began before the first event of the trace'
          : 'open at the end of the recording end there',
      );
    },
  );

  it('is not what Score-P’s back-end records', async () => {
    const failure = await failureOf(traced('foreign'));
    expect(failure).toMatchObject({ reason: 'usage' });
    expect(failure.message).toContain('SCOREP_ENABLE_TRACING');
  });
});
