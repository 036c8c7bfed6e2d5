import { describe, expect, it } from 'vitest';
import { namedBytes } from '../../../../../src/formats/byteSource';
import { openTrace, readEvents } from '../../../../../src/formats/kymo-trace/traceFile';
import type { LocationWriter } from '../../../../../src/formats/otf2/write/locationWriter';
import { ThreadEvents, type ThreadGaps } from '../../../../../src/measurement/results/trace/threadEvents';
import { enter, leave, other, traceBytes, type ThreadBytes, type TraceBytes } from './traceBytes';

/** What is written for the words of one page, and what is not as the thread recorded it. */
function written(
  words: readonly bigint[],
  thread: Partial<ThreadBytes> = {},
  trace: TraceBytes = {},
): { readonly events: readonly string[]; readonly gaps: ThreadGaps } {
  const source = namedBytes(
    'x.trace',
    traceBytes({ ...trace, threads: [{ end: 1000n, ...thread, pages: [[0n, words]] }] }),
  );
  const events: string[] = [];
  const writer = {
    events: 0,
    enter: (time: number, region: number) => void events.push(`${time} enter ${region}`),
    leave: (time: number, region: number) => void events.push(`${time} leave ${region}`),
    event: (name: string, time: number, values: readonly number[]) =>
      void events.push(`${time} ${name} ${values.join(' ')}`.trim()),
  } as unknown as LocationWriter;
  const opened = openTrace(source);
  const to = new ThreadEvents({
    writer,
    regionOf: (slot) => (slot === 99 ? undefined : slot),
    communicators: new Map([[5, 0]]),
    requests: new Set(),
  });
  const pages = readEvents(source, opened.threads[0]!, 0n, to);
  while (pages.next().done !== true);
  to.finish(opened.threads[0]!, opened, 0n);
  return { events, gaps: to.gaps };
}

describe('the events of a thread in the archive', () => {
  it('are nested: ends without a begin are dropped, and open calls end', () => {
    const { events, gaps } = written([
      leave(1n, 7),
      enter(2n, 1),
      enter(3n, 2),
      leave(4n, 2),
      enter(5n, 99),
      leave(6n, 99),
    ]);
    expect(events).toEqual(['2 enter 1', '3 enter 2', '4 leave 2', '1000 leave 1']);
    expect(gaps).toMatchObject({ unmatched: 1, closed: 1 });
  });

  it('end with the calls that a jump has left', () => {
    const { events, gaps } = written([enter(1n, 1), enter(2n, 2), enter(3n, 3), leave(4n, 1)]);
    expect(events).toEqual(['1 enter 1', '2 enter 2', '3 enter 3', '4 leave 3', '4 leave 2', '4 leave 1']);
    expect(gaps).toMatchObject({ unmatched: 0, closed: 0 });
  });

  it.each<[string, Partial<ThreadBytes>, TraceBytes, number]>([
    ['the thread ended', {}, {}, 1000],
    ['events were lost from then on', { lost: 5n, lostTime: 400n }, {}, 400],
    ['the thread ended, and had lost its first events', { lost: 5n, lostTime: 1n }, { last: true }, 1000],
    ['the iterations ended', {}, { iterations: [2n, 3n, 1n, 300n] }, 300],
    ['the thread ended before the iterations', {}, { iterations: [2n, 3n, 1n, 0n] }, 1000],
    ['the last event came', {}, { iterations: [2n, 3n, 1n, 5n] }, 20],
  ])('end when %s', (_, thread, trace, end) => {
    expect(written([enter(20n, 1)], thread, trace).events).toEqual(['20 enter 1', `${end} leave 1`]);
  });

  it('end where the thread began to wait for work', () => {
    const { events } = written([enter(1n, 1), enter(2n, 2), enter(3n, 3)], { parked: [2, 500n] });
    expect(events.slice(3)).toEqual(['500 leave 3', '500 leave 2', '1000 leave 1']);
  });

  it('go on in fibers, which is no visit', () => {
    const { events, gaps } = written([
      enter(1n, 1),
      ...other(2n, 3, 1n),
      enter(3n, 2),
      leave(4n, 2),
      ...other(5n, 2, 1n),
      leave(6n, 1),
    ]);
    expect(events).toEqual(['1 enter 1', '2 leave 1', '3 enter 2', '4 leave 2', '5 enter 1', '6 leave 1']);
    expect(gaps.resumed).toBe(1);
  });

  it('have messages in known communicators, and no end of a request or operation that has not begun', () => {
    const { events, gaps } = written([
      ...other(1n, 8, 1n, 5n, 3n, 40n), // outside of all calls
      enter(2n, 1),
      ...other(3n, 8, 1n, 5n, 3n, 40n),
      ...other(4n, 8, 1n, 6n, 3n, 40n), // an unknown communicator
      ...other(5n, 9, 1n, 5n, 3n, 40n, 70n),
      ...other(6n, 10, 70n),
      ...other(7n, 10, 71n),
      ...other(8n, 13, 2n, 5n, 3n, 40n, 72n),
      ...other(9n, 14, 73n),
      ...other(10n, 16, 0n, 5n, 0n, 1n, 2n),
      ...other(11n, 15),
      ...other(12n, 16, 11n, 6n, 0n, 1n, 2n),
      ...other(13n, 17, 74n),
      ...other(14n, 18, 11n, 5n, 0n, 1n, 2n, 74n),
      ...other(15n, 18, 11n, 5n, 0n, 1n, 2n, 75n),
      ...other(16n, 40, 1n), // of a later version
      ...other(16n, 8, 1n), // damaged: too few values, and too many
      ...other(16n, 9, 1n, 5n, 3n, 40n, 76n, 0n),
      ...other(16n, 10),
      ...other(16n, 15, 1n),
      leave(17n, 1),
    ]);
    expect(events).toEqual([
      '2 enter 1',
      '3 MPI_SEND 1 0 3 40',
      '5 MPI_ISEND 1 0 3 40 70',
      '6 MPI_ISEND_COMPLETE 70',
      '8 MPI_RECV 2 0 3 40',
      '11 MPI_COLLECTIVE_BEGIN',
      '12 MPI_COLLECTIVE_END 11 4294967295 0 1 2',
      '13 NON_BLOCKING_COLLECTIVE_REQUEST 74',
      '14 NON_BLOCKING_COLLECTIVE_COMPLETE 11 0 0 1 2 74',
      '17 leave 1',
    ]);
    expect(gaps.unknown).toBe(1);
  });
});
