import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { traceText } from '../../src/cli/terminal/trace/traceText';
import { traceReport } from '../../src/workflows/trace/report';
import type { TraceReport } from '../../src/workflows/trace/report.types';
import { traceContradictions, type TraceElsewhere } from '../consistency/trace';
import { sharedData } from '../shared';
import { smallTrace, type SmallEvent } from './formats/otf2/smallTrace';

/** Rank 1 has a call without a leave, and a leave without a call. */
function events(rank: number): readonly SmallEvent[] {
  return [
    ['enter', 1, 0],
    ['enter', 2, 1],
    ['enter', 3, 0],
    rank === 0 ? ['send', 4, 1, 0, 8] : ['receive', 5, 0, 0, 8],
    ['MPI_COLLECTIVE_END', 6, 0, 0, 0, 0, 0],
    ['leave', 7, 0],
    ['leave', 9, rank === 0 ? 1 : 2],
    ['leave', 11, 0],
  ];
}

async function seen(anchor: string): Promise<{ report: TraceReport; elsewhere: TraceElsewhere }> {
  const report = await traceReport(anchor);
  const ofRanks: TraceReport[] = [];
  for (const { rank } of report.locations) ofRanks.push(await traceReport(anchor, { ranks: [rank, rank] }));
  return { report, elsewhere: { text: traceText(report, 1000), ofRanks } };
}

describe('what is shown of a trace', () => {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'kymo trace consistency '));
    smallTrace({
      functions: [{ name: 'main', file: 'a.c', line: 1 }, 'work', 'other'],
      ranks: [events(0), events(1)],
    }).save(folder);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  test('agrees', async () => {
    const { report, elsewhere } = await seen(folder);
    expect(report).toMatchObject({ missingLeaves: 1, unmatchedLeaves: 1 });
    expect(traceContradictions(report, elsewhere)).toEqual([]);
  });

  const trace = sharedData('scorep/lulesh-mpi-trace/lulesh.p8.s4.i20.trace/traces.otf2');
  test.skipIf(trace === undefined)('agrees for a trace of Score-P', async () => {
    const { report, elsewhere } = await seen(trace!);
    expect(traceContradictions(report, elsewhere)).toEqual([]);
  });

  /** A copy that may be changed. */
  type Changed = Record<string, unknown> & {
    functions: Record<string, unknown>[];
    locations: Record<string, unknown>[];
    events: { kind: string; count: number }[];
    messages: { sent: Record<string, unknown>; received: Record<string, unknown> } & Record<string, unknown>;
    collectives: Record<string, unknown>[];
  };

  test.each<[string, (copy: Changed) => void, RegExp]>([
    ['a visit without an enter', ({ functions }) => (functions[0]!.visits = 7), /visits and enters: 9 and 6/],
    ['a leave too many', (copy) => (copy.missingLeaves = 0), /visits and leaves: 7 and 6/],
    ['calls of locations', ({ locations }) => (locations[0]!.calls = 4), /visits and calls of locations/],
    ['a sample', ({ functions }) => (functions[0]!.samples = 4), /samples: 4 and 0/],
    ['exclusive time', ({ functions }) => (functions[0]!.exclusiveSeconds = 0.001), /outermost calls/],
    ['inclusive time', ({ functions }) => (functions[1]!.inclusiveSeconds = 0), /work has .* s of 0 s/],
    ['messages', ({ messages }) => (messages.sent.count = 2), /messages sent: 2 and 1/],
    ['receives', ({ messages }) => (messages.received.count = 2), /messages received: 2 and 1/],
    ['an unmatched message', ({ messages }) => (messages.unmatchedSends = 1), /with both ends: 0 and 1/],
    ['bytes', ({ messages }) => (messages.sent.bytes = 9), /bytes sent and received: 9 and 8/],
    ['collectives', ({ collectives }) => (collectives[0]!.calls = 9), /collective operations: 9 and 2/],
    ['one-sided', (copy) => (copy.oneSided = [{ count: 1 }]), /one-sided operations: 1 and 0/],
    ['files', (copy) => (copy.files = [{ count: 1 }]), /operations on files: 1 and 0/],
    ['events', ({ locations }) => (locations[0]!.events = 9), /events of locations and of kinds: 17 and 16/],
    ['the beginning', (copy) => (copy.firstSeconds = 0), /first event: 0 and 0.001/],
    ['the end', (copy) => (copy.lastSeconds = 1), /last event: 1 and 0.011/],
    ['a location', ({ locations }) => (locations[1]!.callSeconds = 5), /location 1 is 5 s in calls/],
    ['a depth', ({ locations }) => (locations[1]!.depth = 5), /location 1 has 3 calls of depth 5/],
    [
      'a rank',
      ({ functions }) => (functions[1]!.visits = 3),
      /work: visits of all ranks and of each: 3 and 2/,
    ],
    ['a text', ({ functions }) => functions.pop(), /rows of functions is 2 in the text and 1/],
    ['a note', (copy) => (copy.notes = ['Nothing.']), /does not print “Nothing/],
    ['a kind', ({ events: kinds }) => (kinds[2]!.count = 5), /is 2 in the text and 5/],
  ])('%s', async (_, change, sentence) => {
    const { report, elsewhere } = await seen(folder);
    const copy = structuredClone(report) as unknown as Changed;
    change(copy);
    expect(traceContradictions(copy as unknown as TraceReport, elsewhere)).toContainEqual(
      expect.stringMatching(sentence),
    );
  });
});
