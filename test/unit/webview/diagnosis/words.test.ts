import { describe, expect, it } from 'vitest';
import { at } from '../../../../src/core/at';
import type { SearchNode } from '../../../../src/core/diagnosis/search/searchRecord';
import type { DiagnosisHeader } from '../../../../src/core/views/diagnosis/diagnosisPieces';
import {
  readThreshold,
  sliderSteps,
  stepOf,
  thresholdAt,
  writtenThreshold,
} from '../../../../webview/diagnosis/thresholdSteps';
import {
  conclusionTexts,
  runningText,
  SearchWords,
  summaryText,
  thresholdText,
} from '../../../../webview/diagnosis/words';
import { hypotheses, live, solver } from '../../../webview/diagnosis/searches';

const words = new SearchWords({ hypotheses });
const { nodes } = solver();
const sentence = (id: number, more: Partial<SearchNode> = {}) =>
  words.sentence({ ...at(nodes, id), ...more });

describe('U2: an experiment in words', () => {
  it('names hypothesis, place, value and threshold with their units', () => {
    expect(sentence(7)).toBe(
      'CPU bound in sweep is true: computing takes 41.0 % of the time, and the threshold is 30 %.',
    );
    expect(sentence(10)).toMatch(/^CPU bound in sweep, process solver\{1272\} is true: /);
    expect(sentence(2)).toMatch(
      /^Input and output in the whole program is false: input and output takes 8.0 %/,
    );
    expect(sentence(16)).toMatch(/is false: .* and the threshold is 4 KiB\.$/);
    expect(sentence(15)).toMatch(/^Waiting for others in objects of type Message is true/);
  });

  it('says where a mean is not what decided', () => {
    expect(sentence(7, { truth: 'false' })).toMatch(
      / is false: computing takes 41\.0 % .* 30 %; concluded from the last values, not from their mean\.$/,
    );
    expect(sentence(7, { truth: 'false', value: 0.2 })).toMatch(/ 30 %\.$/);
  });

  it('says what is not known', () => {
    expect(sentence(0, { truth: 'unknown' })).toMatch(/is undecided: computing takes 62.0 %/);
    const { value, ...unmeasured } = at(nodes, 0);
    expect(value).toBe(0.62);
    expect(words.sentence({ ...unmeasured, truth: 'unknown' })).toBe(
      'CPU bound in the whole program is undecided: there is no value yet.',
    );
    expect(sentence(3)).toBe(
      'Load imbalance in the whole program is undecided: none of its more precise hypotheses is true.',
    );
    expect(sentence(3, { truth: 'true' })).toMatch(/one of its more precise hypotheses is true/);
    // A search of another version may have other hypotheses.
    expect(sentence(0, { hypothesis: 'Other' })).toMatch(/^Other in the whole program/);
  });

  it('conclusions have times where the search took time', () => {
    expect(conclusionTexts(words, at(nodes, 7), true)).toEqual(['at 23.5 s: true, 41.0 %']);
    expect(conclusionTexts(words, at(nodes, 7), false)).toEqual(['true, 41.0 %']);
  });

  const header = (of: ReturnType<typeof solver>): DiagnosisHeader => {
    const { nodes: all, ...rest } = of;
    return { ...rest, id: 'a', count: all.length, notes: [] };
  };

  it('of a search that goes on, the state has its time and cost limit; afterwards it is in the summary', () => {
    const going = { ...header(live()), costLimit: 1 / 0.97, end: 12, wanted: 'search' } as const;
    expect(runningText(going)).toBe('Searching, 12 s, cost limit 3 %');
    expect(runningText({ ...going, state: 'paused' })).toMatch(/^Paused, /);
    expect(summaryText(going, 1)).toBe(
      'mpirun -np 4 solver: 21 experiments, 1 true, searched partly on each host while the program ran with Deep Start.',
    );
    expect(runningText(header(live()))).toBeUndefined();
    expect(summaryText(header({ ...live(), state: 'ended' }), 1)).toMatch(
      /The program ended before the search did: its conclusions until then are shown\.$/,
    );
  });

  it('the summary says the run, the clock and how it was searched', () => {
    expect(summaryText(header(solver()), 10)).toBe(
      'i3.r1: 17 experiments, 10 true, searched in recorded values.',
    );
    const cost = { largestCost: { share: 0.012, time: 7 }, costLimit: 1 / 0.97 };
    expect(summaryText(header({ ...live(), ...cost }), 1)).toMatch(
      /written\. Recording for the search took at most 1\.2 % of the processor time of a process \(at 7(\.0+)? s\); the limit is 3(\.0)? %\.$/,
    );
    expect(summaryText(header(live()), 1)).toBe(
      'mpirun -np 4 solver: 21 experiments, 1 true, searched partly on each host while the program ran with Deep Start, 48.2 s by the wall clock. The search was under way when this was written.',
    );
  });
});

describe('U4: thresholds', () => {
  it('are moved in percent, or by a fourth of a doubling around the usual one', () => {
    expect([stepOf(0.3, 0.3, 'share'), thresholdAt(45, 0.3, 'share')]).toEqual([30, 0.45]);
    expect(stepOf(0.055, 0.05, 'loss')).toBe(6);
    expect([stepOf(4096, 4096, 'bytes'), thresholdAt(54, 4096, 'bytes')]).toEqual([50, 8190]);
    expect(thresholdAt(stepOf(0.305, 0.305, 'share'), 0.305, 'share')).toBe(0.305);
    expect([stepOf(0, 4096, 'bytes'), stepOf(1e12, 4096, 'bytes'), stepOf(5, 0, undefined)]).toEqual([
      0,
      sliderSteps - 1,
      0,
    ]);
  });

  it('are written and read in the unit of the field', () => {
    expect([writtenThreshold(0.3, 'share'), writtenThreshold(4096, 'bytes')]).toEqual(['30', '4096']);
    const read = (text: string, unit: 'share' | 'bytes') => readThreshold(text, unit);
    expect([read('30', 'share'), read(' 12.5 % ', 'share'), read('4096', 'bytes')]).toEqual([
      0.3, 0.125, 4096,
    ]);
    expect(['', 'x', '-1', '101', 'Infinity'].map((text) => read(text, 'share'))).toEqual(
      new Array(5).fill(undefined),
    );
    expect([0.3, 0.05, 0.125].map((value) => thresholdText(value, 'share'))).toEqual([
      '30 %',
      '5 %',
      '12.5 %',
    ]);
    expect([thresholdText(2e9, 'bytesPerSecond'), thresholdText(10, 'perThousand')]).toEqual([
      '1.86 GiB/s',
      '10',
    ]);
  });
});
