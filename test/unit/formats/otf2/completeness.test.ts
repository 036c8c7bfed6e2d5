import { describe, expect, it } from 'vitest';
import { completenessOf, losesBegin, recordedIterations } from '../../../../src/formats/otf2/completeness';
import { openOtf2, type Otf2Archive } from '../../../../src/formats/otf2/open';
import { smallTrace, type SmallEvent } from './smallTrace';

const lost = 'KYMO::TRACE::LOST';
const calls: readonly SmallEvent[] = [
  ['enter', 0, 0],
  ['leave', 10, 0],
];
const archiveOf = (properties: ReadonlyMap<string, string>, ranks = 4, events = calls): Otf2Archive =>
  openOtf2(
    smallTrace({
      functions: ['main'],
      ranks: Array.from({ length: ranks }, () => events),
      options: { properties },
    }),
    'traces.otf2',
  );
const notes = (properties: ReadonlyMap<string, string>): readonly string[] =>
  archiveOf(properties)
    .notes()
    .map(({ message }) => message);

describe('what an archive lacks', () => {
  it('is nothing where it has everything', () => {
    expect([...completenessOf('first', [], undefined, 0)]).toEqual([
      ['OTF2::MPI_COMMUNICATION_COMPLETE', 'true'],
    ]);
    expect(notes(completenessOf('first', [], undefined, 0))).toEqual([]);
    expect(notes(new Map())).toEqual([]);
  });

  it('are events of locations, which are named with their times', () => {
    const losing = [3, 2, 1, 0].map((id) => ({ location: `${id}`, events: 100 * (id + 1), seconds: 0.5 }));
    const properties = completenessOf('first', losing, undefined, 0);
    expect(properties.get('OTF2::MPI_COMMUNICATION_COMPLETE')).toBe('false');
    expect(notes(properties)).toEqual([
      'traces.otf2 lacks 1000 events that the memory of its recording had no room for: 400 of rank 3 from 500 ms on; 300 of rank 2 from 500 ms on; 200 of rank 1 from 500 ms on; the others of 1 more locations. Its events in these times are incomplete.',
    ]);
    expect(losesBegin(archiveOf(properties).anchor)).toBe(false);
    const last = completenessOf('last', losing.slice(3), undefined, 0);
    expect(notes(last)[0]).toContain('100 of rank 0 up to 500 ms. What');
    expect(losesBegin(archiveOf(last).anchor)).toBe(true);
  });

  it('are most iterations, and processes', () => {
    const properties = completenessOf('first', [], { first: 20, last: 30 }, 2);
    expect(notes(properties)).toEqual([
      'traces.otf2 has iterations 20 to 30 of the run only.',
      'traces.otf2 has no events of 2 processes of the run.',
    ]);
    expect(recordedIterations(archiveOf(properties).anchor)).toEqual({ first: 20, last: 30 });
  });

  it('is said by the hint of OTF2, and by events that switch the recording off', () => {
    expect(notes(new Map([['OTF2::MPI_COMMUNICATION_COMPLETE', 'false']]))).toEqual([
      expect.stringContaining('messages and collective operations may be missing'),
    ]);
    const paused = archiveOf(new Map(), 1, [['MEASUREMENT_ON_OFF', 0, 2], ...calls]);
    paused.merged(() => undefined);
    expect(paused.notes()).toEqual([
      {
        reason: 'incomplete',
        message: expect.stringContaining('traces/0.evt: the recording was switched off') as string,
      },
    ]);
    const on = archiveOf(new Map(), 1, [['MEASUREMENT_ON_OFF', 0, 1], ...calls]);
    on.merged(() => undefined);
    expect(on.notes()).toEqual([]);
  });

  it.each([
    'x'.repeat(100),
    '<script>alert(1)</script>',
    '[]',
    'null',
    '{"events":-1,"most":{}}',
    '{"events":1e300,"locations":"<b>","most":[null,1,{"location":"<b>","events":1,"seconds":1}]}',
    '{"most":[{"location":"0","events":"<b>","seconds":1},{"location":"0","events":1,"seconds":1e300}]}',
    JSON.stringify({ events: 5, most: [], more: 'x'.repeat(1 << 15) }),
  ])('is read of any property’s text, which is never repeated (%#)', (text) => {
    expect(notes(new Map([[lost, text]]))).toEqual([
      'traces.otf2 lacks events that the memory of its recording had no room for. Its events in these times are incomplete.',
    ]);
    expect(notes(new Map([['KYMO::TRACE::ITERATIONS', text]]))).toEqual([]);
    expect(notes(new Map([['KYMO::TRACE::MISSING_PROCESSES', text]]))).toEqual([]);
  });
});
