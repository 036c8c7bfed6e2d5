import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { finished } from '../../../../src/core/steps';
import { compareTraceInputs, type TraceCompareReport } from '../../../../src/workflows/compareTraces';
import { ComparedTraces } from '../../../../src/core/trace/views/comparedTraces';
import { usualFilter } from '../../../../src/protocol/comparison';
import { compareTraces } from '../../../../src/core/trace/views/compareTraces';
import { readTraces } from '../../../../src/workflows/comparing/traceInputs';
import { traceReport } from '../../../../src/workflows/trace/report';
import { smallTrace, type SmallEvent, type SmallTrace } from '../../formats/otf2/smallTrace';

let folder = '';
beforeAll(() => (folder = mkdtempSync(path.join(tmpdir(), 'kymo otf2 traces '))));
afterAll(() => rmSync(folder, { recursive: true }));

/** Compares OTF2 traces. */
function compared(...traces: readonly SmallTrace[]): TraceCompareReport {
  const inputs = traces.map((trace, input) => {
    const given = mkdtempSync(path.join(folder, `run ${input} `));
    smallTrace(trace).save(given);
    return { given, name: `run ${input}`, part: {} };
  });
  return finished(compareTraceInputs(inputs));
}

describe('collective operations', () => {
  const operations = { bcast: 1, allreduce: 11 };
  const program = (size: number, bytes = 8): SmallTrace => ({
    functions: ['main'],
    ranks: Array.from({ length: size }, (_, rank): readonly SmallEvent[] => [
      ['enter', 0, 0],
      ['MPI_COLLECTIVE_END', 1, operations.allreduce, 0, 0xffffffff, bytes * size, bytes * size],
      ['MPI_COLLECTIVE_END', 2, operations.bcast, 0, 0, rank === 0 ? bytes * size : 0, bytes],
      ['leave', 100, 0],
    ]),
  });
  test('are as large on any number of processes', () => {
    expect(compared(program(2), program(4)).differences).toEqual([]);
    expect(compared(program(2), program(4, 16)).differences.map(({ sentence }) => sentence)).toEqual([
      'allreduce in main has messages of 16 bytes instead of 8 bytes.',
      'bcast of 0 in main has messages of 16 bytes instead of 8 bytes.',
    ]);
  });
});

describe('traces of functions that one measurement was not to record', () => {
  const program = (isNew: boolean): SmallTrace => ({
    functions: ['main', 'inlined', 'leaf', 'other'],
    ranks: [
      [
        ['enter', 0, 0],
        ...(isNew ? [['enter', 10, 1] as const] : []),
        ['enter', 20, 2],
        ['send', 25, 0, 1, 8],
        ['leave', 30, 2],
        ...(isNew ? [['leave', 40, 1] as const, ['enter', 50, 3] as const, ['leave', 60, 3] as const] : []),
        ['leave', 100, 0],
      ],
    ],
  });
  const named = (
    wasRecorded: (name: string) => boolean | undefined,
  ): { readonly notes: readonly string[]; readonly sentences: readonly string[] } => {
    const [before, after] = [program(false), program(true)].map((trace, input) => {
      const given = mkdtempSync(path.join(folder, `recorded ${input} `));
      smallTrace(trace).save(given);
      return { given, name: `run ${input}`, part: {} };
    });
    if (before === undefined || after === undefined) throw new Error('no traces');
    const { differences, notes } = finished(
      compareTraceInputs([
        { ...before, isRecorded: ({ name }) => wasRecorded(name) },
        { ...after, isRecorded: () => true },
      ]),
    );
    return { notes, sentences: differences.map(({ sentence }) => sentence) };
  };

  test('leave them out in the other one too: what they do is in what calls them', () => {
    const { notes, sentences } = named((name) => name !== 'inlined');
    // Of the 30 ms of the function that is left out, 20 are its own.
    expect(sentences).toEqual([
      expect.stringMatching(/^main calls other in addition, 1 time, 10 ms/),
      expect.stringMatching(/^main takes .* \(90 ms → 80 ms\)\.$/),
    ]);
    expect(notes.join()).toContain('Recorded in run 1 only, and neither new nor gone: inlined. What they do');
  });
  test('have them where it is not known, or where they were to be recorded', () => {
    for (const isRecorded of [undefined, true]) {
      const { notes, sentences } = named(() => isRecorded);
      expect(sentences.join('\n')).toMatch(/main calls inlined in addition/);
      expect(notes.join()).not.toContain('Recorded in');
    }
  });
});

describe('tags of messages', () => {
  const program = (...tags: readonly number[]): SmallTrace => ({
    functions: ['main'],
    ranks: [
      [['enter', 0, 0], ...tags.map((tag, at): SmallEvent => ['send', 1 + at, 1, tag, 8]), ['leave', 100, 0]],
      [
        ['enter', 0, 0],
        ...tags.map((tag, at): SmallEvent => ['receive', 50 + at, 0, tag, 8]),
        ['leave', 100, 0],
      ],
    ],
  });
  /** Of the messages of the first and the second trace. */
  function tagsOf(...traces: readonly SmallTrace[]): readonly (string | undefined)[] {
    const inputs = traces.map((trace, input) => {
      const given = mkdtempSync(path.join(folder, `run ${input} `));
      smallTrace(trace).save(given);
      return { given, name: `run ${input}`, part: { ranks: [[0, 0]] as const } };
    });
    const { views, table } = readTraces(inputs);
    const settings = { mode: 'frequency', metric: 'time', sensitivity: 0.05, isRelative: false } as const;
    return new ComparedTraces(views, table)
      .rows({ settings: { ...settings, shows: usualFilter } }, 0, 10)
      .filter(({ kind }) => kind === 'send')
      .flatMap(({ cells }) => cells.map((cell) => cell?.tags));
  }

  test('are shown beside their sizes, each once, and are not compared', () => {
    expect(tagsOf(program(7, 3, 7), program(9, 7, 7))).toEqual(['7, 3', '7, 9']);
    expect(compared(program(7, 3, 7), program(9, 7, 7)).differences).toEqual([]);
  });
  test('of programs that count their messages by tags are shown as far as there is room', () => {
    const many = Array.from({ length: 40 }, (_, tag) => tag);
    const [first, second] = tagsOf(program(...many), program(39));
    expect(first).toBe(`${many.slice(0, 15).join(', ')} and others`);
    expect(second).toBe('others');
  });
});

test('of a trace that lacks events, the differences are said to be of that too', () => {
  const program: SmallTrace = {
    functions: ['main'],
    ranks: [0, 1].map(() => [
      ['enter', 0, 0],
      ['leave', 100, 0],
    ]),
  };
  const [whole, part] = ['whole', 'part'].map((name) => {
    const given = mkdtempSync(path.join(folder, `${name} `));
    smallTrace(program).save(given);
    return { given, name, part: {} };
  });
  if (whole === undefined || part === undefined) throw new Error('no traces');
  rmSync(path.join(part.given, 'traces/1.evt'));
  expect(finished(compareTraceInputs([whole, part])).notes.join('\n')).toMatch(
    /What .* lacks is among the differences/,
  );
  expect(finished(compareTraceInputs([whole, whole])).notes.join('\n')).not.toContain('lacks');
});

describe('threads', () => {
  /** A first thread, and another one whose part of the parallel region begins at the top. */
  const process = (first: number, second: number): SmallTrace['ranks'][number] => {
    const region = (count: number, from: number): readonly SmallEvent[] => [
      ['enter', from, 1],
      ...Array.from({ length: count }, (_, call): readonly SmallEvent[] => [
        ['enter', from + 10 * call, 2],
        ['leave', from + 10 * call + 7 + (call % 2), 2],
      ]).flat(),
      ['leave', 900, 1],
    ];
    return {
      threads: [[['enter', 0, 0], ...region(first, 100), ['leave', 1000, 0]], region(second, 120)],
    };
  };
  const program = (first: number, second: number): SmallTrace => ({
    functions: ['main', '!$omp parallel @a.c:5', 'work'],
    ranks: [process(3, 5), process(first, second)],
  });

  test('have the visits and times of “trace show” together', async () => {
    const given = mkdtempSync(path.join(folder, 'threads '));
    smallTrace(program(4, 2)).save(given);
    const { views, table, notes } = readTraces([0, 1].map((name) => ({ given, name: `${name}`, part: {} })));
    const [trace] = compareTraces(views, table, { metric: 'time' }).frequencies;
    const sums: Record<string, { visits: number; seconds: number }> = {};
    for (let row = 0; row < (trace?.size ?? 0); row++) {
      const key = table.keys[trace?.key[row] ?? 0];
      const own = (sums[key?.kind === 'context' ? key.name : ''] ??= { visits: 0, seconds: 0 });
      own.visits += trace?.count[row] ?? 0;
      own.seconds += trace?.seconds[row] ?? 0;
    }
    const { functions } = await traceReport(given);
    expect(functions).toHaveLength(3);
    expect(functions.find(({ name }) => name === 'work')?.visits).toBe(14);
    for (const { name, visits, exclusiveSeconds } of functions)
      expect(sums[name]).toEqual({ visits, seconds: expect.closeTo(exclusiveSeconds, 9) as number });
    expect(notes()).toEqual([]);
  });
  test('are all compared, and not counted as processes', () => {
    const { differences, inputs, pairs } = compared(program(3, 5), program(3, 6));
    expect(
      differences.filter(({ kind }) => kind === 'changed-count').map(({ sentence }) => sentence),
    ).toEqual([expect.stringMatching(/^work is called .* by !\$omp parallel @a\.c:5 \(10 → 11 times\)\.$/)]);
    expect([inputs.map(({ processes }) => processes), pairs.map(({ per }) => per)]).toEqual([
      [2, 2],
      ['all'],
    ]);
    const one = (trace: SmallTrace): SmallTrace => ({ ...trace, ranks: trace.ranks.slice(1) });
    const fewer = compared(one(program(3, 5)), program(3, 5));
    expect(fewer.differences).toEqual([]);
    expect(fewer.notes).toContain('Of 1 and 2 processes: numbers are per process.');
  });
  test('are counted in a note where single iterations are compared', () => {
    const given = mkdtempSync(path.join(folder, 'iterations '));
    const phase = { name: 'step', isPhase: true };
    const work: readonly SmallEvent[] = [
      ['enter', 0, 0],
      ['leave', 100, 0],
    ];
    smallTrace({
      functions: [phase],
      ranks: [{ threads: [work, work, work] }, { threads: [work, []] }],
    }).save(given);
    const input = { given, name: 'run', part: { iterations: [1, 1] as const } };
    expect(finished(compareTraceInputs([input, input])).notes.join('\n')).toMatch(
      /of iterations, only the first thread of each process is compared; other threads: 2\./,
    );
  });
});
