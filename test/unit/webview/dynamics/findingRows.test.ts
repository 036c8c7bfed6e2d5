import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  defaultFindingView,
  groupings,
  iterationsText,
  shownFindings,
  weight,
} from '../../../../webview/dynamics/lists/findingRows';
import { readViewState } from '../../../../webview/dynamics/viewState';
import { manyProperties } from '../../../webview/dynamics/analyses';

const properties = manyProperties(300);

describe('what was found, grouped and filtered in the view', () => {
  it('shows each property above the threshold once, below exactly one group', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...groupings),
        fc.double({ min: 0, max: 0.2, noNaN: true }),
        fc.constantFrom('excess', 'severity', 'what', 'iterations', 'ranks', 'region', 'place', 'nonsense'),
        fc.constantFrom('ascending' as const, 'descending' as const),
        (group, threshold, column, direction) => {
          const view = { ...defaultFindingView, group, threshold, sort: { column, direction } };
          const { rows, groups, shown } = shownFindings(properties, view);
          const found = [...rows].filter((row) => row < properties.length);
          const wanted = properties.flatMap((row, at) => (weight(row) >= threshold ? [at] : []));
          expect(found.toSorted((a, b) => a - b)).toEqual(wanted);
          expect(shown).toBe(wanted.length);
          expect(rows.length - found.length).toBe(groups.length);
          expect(groups.reduce((sum, { count }) => sum + count, 0)).toBe(group === 'none' ? 0 : shown);
        },
      ),
    );
  });

  it('puts the dearest first, and groups by their dearest', () => {
    const { rows, groups } = shownFindings(properties, defaultFindingView);
    expect([...rows].slice(0, 2)).toEqual([300, 0]);
    expect(groups.map(({ excess }) => excess)).toEqual(
      groups.map(({ excess }) => excess).toSorted((a, b) => b - a),
    );
  });

  it('hides the members of closed groups, and counts them', () => {
    const view = {
      ...defaultFindingView,
      closed: ['Degradation trend', 'Degradation peak', 'Communication'],
    };
    const { rows, groups, shown } = shownFindings(properties, view);
    expect(groups).toHaveLength(4);
    expect(shown).toBe(300);
    expect([...rows].filter((row) => row < 300)).toHaveLength(75);
  });

  it('says what is wrong with an expression, and finds by region, file and ranks', () => {
    const search = (text: string, regex = false) =>
      shownFindings(properties, { ...defaultFindingView, search: text, regex });
    expect(search('(', true).error).toBeDefined();
    expect(search('file3.c').shown).toBe(
      properties.filter(({ region }) => region?.file === '/src/file3.c').length,
    );
    expect(search('^ranks 5-8$', true).shown).toBe(properties.filter(({ ranks }) => ranks === '5-8').length);
  });

  it('writes intervals shortly', () => {
    expect(iterationsText({ iterations: [[1, 92]] })).toBe('1–92');
    expect(iterationsText({ iterations: [[7, 7]] })).toBe('7');
    expect(
      iterationsText({ iterations: Array.from({ length: 9 }, (_, at) => [at + 1, at + 2] as const) }),
    ).toBe('1–2, 2–3, 3–4, … (9)');
    expect(iterationsText({})).toBe('');
    const all = { count: 300, iterations: 400, range: [10, 19_975] } as const;
    expect(iterationsText({ iterations: [[10, 10]], all })).toBe('10–19975 (400)');
  });
});

describe('the kept state of the panel', () => {
  it('is read whatever it is, and read again is the same', () => {
    fc.assert(
      fc.property(fc.anything(), (value) => {
        const state = readViewState(value);
        expect(readViewState(JSON.parse(JSON.stringify(state)))).toEqual(state);
      }),
    );
  });
});
