import { describe, expect, it } from 'vitest';
import type { Episode, Letter, Pattern } from '../../../../src/core/signal/signal';
import { sentenceOf } from '../../../../src/core/signal/words';

/** `G0-31 E32-63` */
function episodes(text: string): Episode[] {
  return [...text.matchAll(/(\w)(\d+)-(\d+)/g)].map(([, letter, from, to]) => ({
    letter: letter as Letter,
    from: Number(from),
    to: Number(to),
    sum: 0,
    stability: 1,
  }));
}

type Range = readonly [number, number];
const costs = { sum: 0, excess: 0, aftermath: 0, confidence: 1, stability: 1 };
const trend = ([from, to]: Range, core: Range = [from, to], levels: Range = [0, 1]): Pattern => ({
  ...{ type: 'trend', from, to, core, levels, ...costs },
});
const step = (core: Range, levels: Range): Pattern => ({ ...trend(core, core, levels), type: 'step' });
const peak = ([from, to]: Range, at: number): Pattern => ({
  type: 'peak',
  from,
  to,
  at,
  levels: [1, 2],
  ...costs,
});
const better = (pattern: Pattern): Pattern => ({ ...pattern, improvement: true });
const sentence = (letters: string, patterns: readonly Pattern[], length: number): string =>
  sentenceOf(episodes(letters), patterns, length);

describe('sentences about a series', () => {
  it.each([
    ['', 'flat'],
    ['G0-63', 'flat'],
    ['A0-31 B32-63', 'no clear pattern'],
    // Three iterations at least, and a sixteenth of the series.
    ['A0-28 G29-31 B32-63', 'no clear pattern'],
    ['A0-27 G28-31 B32-63', 'flat 29-32'],
    ['A0-5 G6-8 B9-15', 'flat 7-9'],
    ['A0-5 G6-7 B8-15', 'no clear pattern'],
    // What moves for as short as that does not part a flat stretch.
    ['A0-7 G8-15 A16-18 G19-31 B32-63', 'flat 9-32'],
    ['A0-7 G8-15 A16-19 G20-31 B32-63', 'flat 9-16, flat 21-32'],
    // Nine tenths are as good as all.
    ['A0-9 G10-99', 'flat'],
    ['A0-10 G11-99', 'flat 12-100'],
  ])('without patterns: letters "%s" are "%s"', (letters, words) => {
    expect(sentence(letters, [], (episodes(letters).at(-1)?.to ?? -1) + 1)).toBe(words);
  });

  it('name peaks and valleys by their extremes, and several of them together', () => {
    const letters = 'A0-31 B32-63';
    expect(sentence(letters, [peak([17, 17], 17)], 64)).toBe('peak at 18');
    expect(sentence(letters, [peak([11, 24], 17)], 64)).toBe('peak near 18 (12-25)');
    expect(sentence(letters, [better(peak([11, 24], 17))], 64)).toBe('valley near 18 (12-25)');
    const three = [3, 9, 30].map((at) => peak([at, at], at));
    expect(sentence(letters, three, 64)).toBe('peak at 4, peak at 10, peak at 31');
    const four = [...three, peak([40, 41], 41)];
    expect(sentence(letters, four, 64)).toBe('4 peaks (near 4, 10, 31, …)');
    expect(sentence(letters, [better(peak([20, 20], 20)), ...four], 64)).toBe(
      '4 peaks (near 4, 10, 31, …), valley at 21',
    );
    expect(sentence(letters, four.map(better), 64)).toBe('4 valleys (near 4, 10, 31, …)');
  });

  it.each<[string, Range, number, string]>([
    ['E0-31 G32-63', [0, 31], 64, 'rises steadily 1-32, flat 33-64'],
    ['E0-32 G33-63', [0, 32], 64, 'rises slowly 1-33, flat 34-64'],
    ['E0-15 A16-31 G32-63', [0, 31], 64, 'rises 1-32, flat 33-64'],
    ['E0-16 A17-31 G32-63', [0, 31], 64, 'rises steadily 1-32, flat 33-64'],
    ['D0-23 E24-31 G32-63', [0, 31], 64, 'rises 1-32, flat 33-64'],
    ['D0-24 E25-31 G32-63', [0, 31], 64, 'rises accelerating 1-32, flat 33-64'],
    ['A0-23 E24-31 G32-63', [0, 31], 64, 'rises 1-32, flat 33-64'],
    ['A0-24 E25-31 G32-63', [0, 31], 64, 'rises slowing 1-32, flat 33-64'],
    // Only what is in the run counts, and flat parts of it do not.
    ['A0-15 D16-23 G24-31 A32-63', [16, 31], 64, 'rises accelerating 17-32'],
    ['A0-15 E16-16 G17-30 A31-31 A32-63', [16, 31], 64, 'rises 17-32'],
  ])('manner of a rise: letters "%s" at %j of %i are "%s"', (letters, run, length, words) => {
    expect(sentence(letters, [trend(run)], length)).toBe(words);
  });

  it('name falls in the same ways', () => {
    const fall = better(trend([0, 31]));
    expect(sentence('F0-31 A32-63', [fall], 64)).toBe('falls steadily 1-32');
    expect(sentence('B0-31 A32-63', [fall], 64)).toBe('falls accelerating 1-32');
    expect(sentence('C0-31 A32-63', [fall], 64)).toBe('falls slowing 1-32');
  });

  it.each<[Range, string]>([
    [[1, 2], ' (×2)'],
    [[3, 1], ' (×0.33)'],
    [[0, 2], ''],
    [[-1, 2], ''],
    [[1, 999], ' (×1000)'],
    [[1, 1000], ''],
    [[1, 0.0011], ' (×0.0011)'],
    [[1000, 1], ''],
    [[1, -1], ''],
  ])('levels %j are "%s"', (levels, ratio) => {
    expect(sentence('A0-31 B32-63', [step([30, 31], levels)], 64)).toBe(`step increase at 32${ratio}`);
    expect(sentence('A0-31 B32-63', [trend([4, 45], [8, 31], levels)], 64)).toBe(`rises 9-32${ratio}`);
    expect(sentence('A0-31 B32-63', [better(step([30, 31], levels))], 64)).toBe(
      `step decrease at 32${ratio}`,
    );
  });

  it('leave the flanks of a bump to it: what is near it, and not longer than two of it', () => {
    const bump = peak([30, 39], 35);
    const withRun = (core: Range): string => sentence('A0-63 B64-127', [trend(core), bump], 128);
    const alone = 'peak near 36 (31-40)';
    expect(withRun([10, 30])).toBe(alone);
    expect(withRun([10, 31])).toBe(`rises slowing 11-32, ${alone}`);
    expect(withRun([16, 20])).toBe(alone);
    expect(withRun([15, 19])).toBe(`rises slowing 16-20, ${alone}`);
    expect(withRun([49, 60])).toBe(alone);
    expect(withRun([50, 60])).toBe(`${alone}, rises slowing 51-61`);
  });

  it('leave valleys inside of a run to the run, but not peaks', () => {
    const run = trend([0, 99]);
    expect(sentence('A0-127', [run, better(peak([40, 40], 40))], 128)).toBe('rises slowing 1-100');
    expect(sentence('A0-127', [run, peak([40, 40], 40)], 128)).toBe('rises slowing 1-100, peak at 41');
    expect(sentence('A0-127', [run, better(peak([99, 100], 99))], 128)).toBe(
      'rises slowing 1-100, valley near 100 (100-101)',
    );
    expect(sentence('A0-127', [run, better(peak([0, 0], 0)), better(peak([99, 99], 99))], 128)).toBe(
      'rises slowing 1-100',
    );
  });

  it('name flat stretches beside runs and wide bumps, not under them', () => {
    // A bump of a thirty-second of the series is narrow: it does not interrupt what is flat.
    expect(sentence('G0-31 A32-33 B34-35 G36-127', [peak([32, 35], 33)], 128)).toBe(
      'flat, peak near 34 (33-36)',
    );
    expect(sentence('G0-31 A32-34 B35-36 G37-127', [peak([32, 36], 34)], 128)).toBe(
      'flat 1-32, peak near 35 (33-37), flat 38-128',
    );
    expect(sentence('G0-63 E64-95 G96-127', [trend([32, 127], [64, 95])], 128)).toBe(
      'flat 1-64, rises slowly 65-96, flat 97-128',
    );
    expect(sentence('G0-63 G64-127', [trend([60, 70])], 128)).toBe('rises 61-71');
    expect(sentence('G0-127', [trend([64, 64], [64, 64])], 128)).toBe('rises 65-65');
    expect(sentence('G0-127', [trend([127, 127], [127, 127])], 128)).toBe('flat 1-128, rises 128-128');
  });
});
