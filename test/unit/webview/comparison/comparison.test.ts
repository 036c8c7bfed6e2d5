import { describe, expect, it } from 'vitest';
import type { ComparisonHeader, ComparisonRow } from '../../../../src/core/trace/comparisonPieces';
import { partText, readPart } from '../../../../webview/comparison/controls/parts';
import {
  fittingOptions,
  isLinked,
  readOptions,
  settingsOf,
  targetOf,
  usualOptions,
  usualSettings,
  withLink,
  withSettings,
} from '../../../../webview/comparison/options';
import { connectorAt, connectors, type PlacedRow } from '../../../../webview/comparison/views/connectors';
import { classAt, placeOfRow, rowAt, runsOf } from '../../../../webview/comparison/views/overviewModel';
import { readViewState } from '../../../../webview/comparison/viewState';
import {
  cellTexts,
  differencesOf,
  entryTooltip,
  linesText,
  pairSentence,
  rowSentence,
  sizeTooltip,
} from '../../../../webview/comparison/words';

const header: ComparisonHeader = {
  id: 'a',
  views: ['one', 'two', 'three'].map((name) => ({ name, entries: 3, seconds: 1, iterations: 4, ranks: 2 })),
  metrics: ['time', 'instructions'],
  sizeUnit: 'bytes',
  depth: 3,
  notes: [],
};

describe('options of linked views', () => {
  const apart = withLink(fittingOptions(usualOptions, header, true), 1, false);

  it('M16: change for all linked views, or for one that is not', () => {
    expect(header.views.map((_, view) => isLinked(apart, view))).toEqual([true, false, true]);
    const both = withSettings(apart, targetOf(apart, 2), { ...apart.linked, sensitivity: 0.2 });
    expect([0, 1, 2].map((view) => settingsOf(both, targetOf(both, view)).sensitivity)).toEqual([
      0.2, 0.05, 0.2,
    ]);
    const alone = withSettings(apart, targetOf(apart, 1), { ...apart.linked, sensitivity: 0.3 });
    expect([0, 1, 2].map((view) => settingsOf(alone, targetOf(alone, view)).sensitivity)).toEqual([
      0.05, 0.3, 0.05,
    ]);
    expect(settingsOf(withLink(alone, 1, true), undefined).sensitivity).toBe(0.05);
    expect(isLinked(withLink(alone, 1, true), 1)).toBe(true);
  });

  it('compare instructions where there are some, and what the user chose if it is there', () => {
    const metricOf = (metric: string, metrics: readonly string[], isFirst: boolean): string =>
      fittingOptions(
        { ...usualOptions, linked: { ...usualSettings, metric } },
        { ...header, metrics },
        isFirst,
      ).linked.metric;
    expect(metricOf('time', ['time', 'instructions'], true)).toBe('instructions');
    expect(metricOf('time', ['time', 'instructions'], false)).toBe('time');
    expect(metricOf('PAPI_TOT_CYC', ['time'], false)).toBe('time');
    expect(fittingOptions(apart, { ...header, views: header.views.slice(0, 1) }, true).own).toEqual([
      undefined,
    ]);
  });

  it('are read from what was saved, and what does not fit is as usual', () => {
    expect(readOptions(undefined)).toBeUndefined();
    expect(readOptions(JSON.parse(JSON.stringify(apart)))).toEqual({
      ...apart,
      own: [undefined, apart.linked, undefined],
    });
    const odd = {
      linked: { mode: 'odd', metric: 3, sensitivity: -1, shows: { depth: 'x', contexts: 'no' } },
    };
    expect(readOptions(odd)).toEqual({ linked: usualSettings, own: [] });
    expect(readOptions({ linked: {}, own: [1, 2, 3, 4, 5, 6] })?.own).toHaveLength(4);
    expect(readViewState({ summaryShare: 7, layouts: 'x' })).toMatchObject({
      summaryShare: 0.26,
      layouts: [],
      search: '',
    });
  });
});

/** Rows of 10 pixels; `.` is a gap. */
function placed(kinds: string, own: string): readonly PlacedRow[] {
  const names = { '=': 'equal', '≠': 'changed', '+': 'added', '−': 'deleted' } as const;
  return Array.from(kinds).flatMap((symbol, row) => {
    const kind = names[symbol as keyof typeof names];
    const isThere = kind !== (own === 'left' ? 'added' : 'deleted');
    return isThere ? [{ entry: row, row, kind, top: 10 * row, bottom: 10 * row + 10 }] : [];
  });
}
const joined = (kinds: string) => connectors(placed(kinds, 'left'), placed(kinds, 'right'));

describe('connectors', () => {
  it('M11: join blocks of the same kind, and point to where something would be', () => {
    expect(joined('==≠−−+=')).toEqual([
      { kind: 'equal', left: [0, 20], right: [0, 20], leftRow: 0, rightRow: 0 },
      { kind: 'changed', left: [20, 30], right: [20, 30], leftRow: 2, rightRow: 2 },
      // The gap of two deleted rows and an added one is between the rows 2 and 5 of the right side.
      { kind: 'deleted', left: [30, 50], right: [40, 40], leftRow: 3, rightRow: 5 },
      { kind: 'added', left: [55, 55], right: [50, 60], leftRow: 6, rightRow: 5 },
      { kind: 'equal', left: [60, 70], right: [60, 70], leftRow: 6, rightRow: 6 },
    ]);
  });

  it('M11: are drawn at the ends too, and without anything on a side', () => {
    expect(joined('−=')[0]).toMatchObject({ kind: 'deleted', left: [0, 10], right: [5, 5], rightRow: 1 });
    expect(joined('=+')[1]).toMatchObject({ kind: 'added', left: [15, 15], right: [10, 20], leftRow: 1 });
    expect(joined('++')).toEqual([
      { kind: 'added', left: [10, 10], right: [0, 20], leftRow: 0, rightRow: 0 },
    ]);
    expect(joined('')).toEqual([]);
    // What only one side has is one block as long as nothing of the other one is between.
    expect(joined('−+−').map(({ kind, left }) => [kind, left])).toEqual([
      ['deleted', [0, 10]],
      ['added', [15, 15]],
      ['deleted', [20, 30]],
    ]);
  });

  it('M11: join views that are scrolled apart', () => {
    const right = placed('≠', 'right').map((row) => ({ ...row, row: 7, top: 70, bottom: 80 }));
    expect(connectors(placed('≠', 'left'), right)).toEqual([
      { kind: 'changed', left: [0, 10], right: [70, 80], leftRow: 0, rightRow: 7 },
    ]);
  });

  it('draw nothing for a row whose partner has not arrived, and end', () => {
    const [first, second] = placed('=≠', 'left');
    if (first === undefined || second === undefined) throw new Error('rows are missing');
    expect(connectors([first, second], [second])).toHaveLength(1);
    expect(connectors([second], [first, second])).toHaveLength(1);
    expect(connectors([first], [])).toEqual([]);
  });

  it('are found under the pointer, differences before what is equal', () => {
    const all = joined('==−=');
    expect(connectorAt(all, 0, 5)?.kind).toBe('equal');
    expect(connectorAt(all, 0, 22)?.kind).toBe('deleted');
    // Where it would be is a point, which a few pixels stand for.
    expect(connectorAt(all, 1, 27)?.kind).toBe('deleted');
    expect(connectorAt(all, 1, 35)?.kind).toBe('equal');
    expect(connectorAt(all, 0.5, 90)).toBeUndefined();
  });
});

describe('the overview', () => {
  it('M21: finds rows by place and places by row, and draws runs', () => {
    const rows = Uint32Array.from([0, 10, 20, 30]);
    expect([0, 0.3, 0.99, 2, -1].map((share) => rowAt(rows, share))).toEqual([0, 10, 30, 30, 0]);
    expect([0, 10, 15, 31].map((row) => placeOfRow(rows, row))).toEqual([0, 0.25, 0.5, 1]);
    expect(placeOfRow(new Uint32Array(0), 3)).toBe(0);
    expect(rowAt(new Uint32Array(0), 0.5)).toBe(0);
    expect(runsOf(Uint8Array.from([0, 0, 3, 0xff, 3, 1]))).toEqual([
      { kind: 'equal', first: 0, end: 2 },
      { kind: 'deleted', first: 2, end: 3 },
      { kind: 'deleted', first: 4, end: 5 },
      { kind: 'changed', first: 5, end: 6 },
    ]);
    expect(classAt(Uint8Array.from([0xff]), 0)).toBeUndefined();
  });
});

describe('ranks and iterations', () => {
  const of = { ranks: 4, iterations: 10 };
  it('M17: are read as the user writes them', () => {
    expect(readPart({ rank: ' 3 ', iterations: '' }, of)).toEqual({ part: { rank: 3 } });
    expect(readPart({ rank: '', iterations: '2 - 5' }, of)).toEqual({ part: { iterations: [2, 5] } });
    expect(readPart({ rank: '', iterations: '10' }, of)).toEqual({ part: { iterations: [10, 10] } });
    expect(readPart({ rank: ' ', iterations: ' ' }, of)).toEqual({ part: {} });
    for (const rank of ['4', '-1', 'x', '1.5'])
      expect(readPart({ rank, iterations: '' }, of).problem).toBe('rank');
    for (const iterations of ['0', '11', '5-2', '1-2-3', '3-', 'x'])
      expect(readPart({ rank: '', iterations }, of).problem).toBe('iterations');
  });

  it('are written as they are read', () => {
    expect(partText({})).toEqual({ rank: '', iterations: '' });
    expect(partText({ rank: 0, iterations: [3, 3] })).toEqual({ rank: '0', iterations: '3' });
    expect(partText({ iterations: [3, 7] })).toEqual({ rank: '', iterations: '3-7' });
  });
});

const cell = { count: 40, seconds: 1.5, share: 0.889 };
const row: ComparisonRow = {
  entry: 3,
  depth: 2,
  kind: 'context',
  name: 'sweep.f',
  place: { name: 'sweep.f', file: '/src/\u202esweep.f', line: 2 },
  lastLine: 625,
  cells: [undefined, cell, cell],
  classes: ['added', 'changed'],
  isHotSpot: true,
  loop: { rows: 3, repeats: [undefined, 40, 20] },
};

describe('words', () => {
  it('M10: a row is what it is compared with both of its neighbours, the strongest first', () => {
    expect([0, 1, 2].map((view) => differencesOf(row, view))).toEqual([
      [],
      ['added', 'changed'],
      ['changed'],
    ]);
    expect(
      differencesOf({ ...row, cells: [cell, cell, undefined], classes: ['changed', 'deleted'] }, 1),
    ).toEqual(['deleted', 'changed']);
    expect(rowSentence(row, 3)).toBe(
      'sweep.f [2-625], not in view 1, added and changed in view 2, changed in view 3',
    );
  });

  it('M6: lines, counts, times, shares and sizes', () => {
    expect(linesText(row)).toBe('[2-625]');
    expect(linesText({ ...row, lastLine: 2 })).toBe('[2]');
    const { place, ...placeless } = row;
    expect(place?.line).toBe(2);
    expect(linesText(placeless)).toBe('');
    expect(entryTooltip(row, 1).split('\n')).toEqual([
      'sweep.f [2-625] · added · changed',
      '/src/⟨U+202E⟩sweep.f:2',
      'Hot spot: its inclusive share reaches the threshold.',
      'The sequence of 3 rows that begins here is repeated 40 times.',
    ]);
    expect([cellTexts.count(cell), cellTexts.seconds(cell), cellTexts.share(cell)]).toEqual([
      '40',
      '1.5 s',
      '88.9 %',
    ]);
    const sized = { ...cell, size: { mean: 620, least: 510, most: 750 } };
    expect(cellTexts.size(cell, 'bytes')).toBe('');
    expect(cellTexts.size(sized, 'elements')).toBe('510 … 750');
    expect(sizeTooltip(sized, 'bytes')).toBe('mean 620 B, 510 B … 750 B');
    expect(sizeTooltip({ ...sized, tags: '5, 7 and others' }, 'bytes')).toBe(
      'mean 620 B, 510 B … 750 B; tag 5, 7 and others',
    );
    expect(sizeTooltip({ ...cell, size: { mean: 8, least: 8, most: 8 } }, 'elements')).toBe('8 elements');
    expect(cellTexts.instructions({ ...cell, instructions: 1_000_000 })).toBe('1 M');
    expect(cellTexts.instructions(cell)).toBe('');
  });

  it('M13: the numbers of a pair', () => {
    const facts = { matched: 14, added: 2, deleted: 0, changed: 6, unchanged: 8 };
    expect(pairSentence(0, facts)).toBe('1 → 2: 14 matched (8 unchanged, 6 changed), 2 added, 0 deleted');
  });
});
