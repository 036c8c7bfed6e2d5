import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import {
  baseText,
  inRound,
  roundOf,
  runName,
  timeWords,
  type Base,
  type LeftOut,
} from '../../../../src/core/functions/base';
import { shareOf } from '../../../../src/core/functions/share';
import { byShare, earlierRound, lastRunShare, shareRank } from '../../../../src/core/functions/shareOrder';

const base = (parts: Partial<Base> = {}): Base => ({
  run: 'i3.r1',
  clock: 'cpu',
  seconds: 2,
  leftOut: [],
  ...parts,
});
const without = (...what: LeftOut[]): Base['leftOut'] => what.map((each) => ({ what: each, seconds: 0.5 }));

describe('the run that shares refer to', () => {
  it('is named by round and repetition, and the round can be read back', () => {
    fc.assert(
      fc.property(fc.nat(), fc.nat(), (round, repetition) => {
        expect(roundOf({ run: runName(round, repetition) })).toBe(round);
      }),
    );
    for (const run of ['profile.cubex', 'i3', 'xi3.r1', 'i3.r1x', 'ix.r1'])
      expect(roundOf({ run })).toBeUndefined();
  });

  it('ends a sentence by its round, or by its name', () => {
    expect(inRound(base())).toBe(' in round 3');
    expect(inRound(base({ run: 'i0.r0' }))).toBe(' in round 0');
    expect(inRound(base({ run: 'a.cubex' }))).toBe(' in a.cubex');
  });
});

describe('the time that is 100 %', () => {
  test.each([
    ['the computing time', base()],
    ['the run time', base({ clock: 'wall', leftOut: without('recording') })],
    [
      'the computing time without MPI’s start and end',
      base({ leftOut: without('waiting', 'MPI start and end') }),
    ],
    ['the time without MPI’s start and end', base({ clock: 'wall', leftOut: without('MPI start and end') })],
  ])('%s', (words, given) => {
    expect(timeWords(given)).toBe(words);
  });

  test.each([
    ['2 s computing time in run i3.r1', base()],
    [
      '2 s run time in run i3.r1, without 500 ms of waiting',
      base({ clock: 'wall', leftOut: without('waiting') }),
    ],
    [
      '2 s computing time in run i3.r1, without 500 ms of waiting and 500 ms of recording',
      base({ leftOut: without('waiting', 'recording') }),
    ],
    [
      '2 s computing time in run i3.r1, without 500 ms of waiting, 500 ms of recording and 500 ms of MPI start and end',
      base({ leftOut: without('waiting', 'recording', 'MPI start and end') }),
    ],
    [
      '2 s computing time in run i3.r1, without 500 ms of recording; 2 functions were recorded in a part of it only',
      base({ leftOut: without('recording'), partlyRecorded: 2 }),
    ],
    [
      '2 s computing time in run i3.r1; one function was recorded in a part of it only',
      base({ partlyRecorded: 1 }),
    ],
  ])('%s', (words, given) => {
    expect(baseText(given)).toBe(words);
  });
});

describe('a share', () => {
  it('is a part of the base, from 0 to 1, and 0 of nothing', () => {
    expect(shareOf(1, base())).toBe(0.5);
    expect(shareOf(3, base())).toBe(1);
    expect(shareOf(-1, base())).toBe(0);
    expect(shareOf(1, base({ seconds: 0 }))).toBe(0);
    expect(shareOf(1, base({ seconds: 0.5 }))).toBe(1);
  });

  it('of the last run comes before those of earlier rounds, later rounds before earlier ones', () => {
    const share = (inclusiveShare: number, round?: number) => ({
      inclusiveShare,
      ...(round === undefined ? {} : { earlier: true as const, base: base({ run: `i${round}.r0` }) }),
    });
    const ordered = [share(0.4), share(0.1), share(0.2, 5), share(1, 4), share(0.9, 4), share(1, 0), {}];
    expect([...ordered].reverse().sort(byShare('inclusiveShare'))).toEqual(ordered);
    expect(shareRank(undefined, 7)).toBeLessThan(shareRank(0, 0));
    expect(earlierRound(share(1))).toBeUndefined();
    expect(earlierRound(share(1, 4))).toBe(4);
    // A study of an earlier version, or a profile that no round made.
    expect(earlierRound({ earlier: true })).toBe(0);
    expect(earlierRound({ earlier: true, base: base({ run: 'a.cubex' }) })).toBe(0);
    expect(lastRunShare(share(0.4), 'inclusiveShare')).toBe(0.4);
    expect(lastRunShare(share(0.4, 2), 'inclusiveShare')).toBeUndefined();
  });
});
