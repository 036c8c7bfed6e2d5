import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DecisionRow } from '../../../../src/protocol/refinement';
import { decisionsCsv, rulesOf, shownRows, stateText } from '../../../../webview/refinement/decisionRows';
import { readViewState } from '../../../../webview/refinement/viewState';

const rows: readonly DecisionRow[] = [
  {
    name: 'main',
    file: '/a/main.c',
    line: 3,
    selected: true,
    rule: 'entry',
    reason: 'in: the program begins here',
    exclusiveShare: 0.1,
  },
  { name: 'solve', selected: true, rule: 'hot-spot', reason: 'in: hot', exclusiveShare: 0.7, pinned: 'out' },
  { name: 'tiny', selected: false, rule: 'too-expensive', reason: 'out: would cost 30 %' },
];

const defaultDecisionView = readViewState({}).decisions;
const names = (view: Partial<typeof defaultDecisionView>): readonly (string | undefined)[] =>
  [...shownRows(rows, { ...defaultDecisionView, ...view }).rows].map((at) => rows[at]?.name);

describe('rows of the decision table', () => {
  it('are sorted by exclusive share at first; what is unknown comes last', () => {
    expect(names({})).toEqual(['solve', 'main', 'tiny']);
    const before = { ...rows[1], name: 'hotter before', round: 1, exclusiveShare: 0.9 } as DecisionRow;
    const all = [before, ...rows];
    const order = [...shownRows(all, defaultDecisionView).rows].map((at) => all[at]?.name);
    expect(order).toEqual(['solve', 'main', 'hotter before', 'tiny']);
    expect(names({ sort: { column: 'name', direction: 'ascending' } })).toEqual(['main', 'solve', 'tiny']);
    expect(names({ sort: { column: 'no such column', direction: 'descending' } })).toEqual([
      'solve',
      'main',
      'tiny',
    ]);
  });

  it('are found by name, file and reason', () => {
    expect(names({ search: 'MAIN.C' })).toEqual(['main']);
    expect(names({ search: 'would cost' })).toEqual(['tiny']);
    expect(names({ search: '^s.*e$', regex: true })).toEqual(['solve']);
    expect(shownRows(rows, { ...defaultDecisionView, search: '(', regex: true })).toMatchObject({
      rows: new Uint32Array(0),
      error: expect.any(String) as unknown,
    });
  });

  it('are filtered by state and rule', () => {
    expect(names({ state: 'out' })).toEqual(['tiny']);
    expect(names({ state: 'pinned' })).toEqual(['solve']);
    expect(names({ rule: 'entry' })).toEqual(['main']);
    expect(rulesOf(rows).map(({ rule, count }) => `${rule} ${count}`)).toEqual([
      'entry 1',
      'hot-spot 1',
      'too-expensive 1',
    ]);
    expect(rows.map(stateText)).toEqual(['in', 'pinned out', 'out']);
  });

  it('are each shown at most once, whatever is searched', () => {
    fc.assert(
      fc.property(fc.string(), fc.boolean(), (search, regex) => {
        const found = [...shownRows(rows, { ...defaultDecisionView, search, regex }).rows];
        expect(new Set(found).size).toBe(found.length);
        expect(found.every((at) => rows[at] !== undefined)).toBe(true);
      }),
    );
  });

  it('are written as CSV that no spreadsheet takes for formulas', () => {
    const hostile: DecisionRow = { ...rows[2]!, name: '=cmd("x"),\ny' };
    const text = decisionsCsv([hostile], [0]);
    expect(text.split('\r\n')[1]).toContain(`"'=cmd(""x""),\ny"`);
  });
});

describe('what is kept of the view', () => {
  it('is checked: anything gives a state that can be shown', () => {
    fc.assert(
      fc.property(fc.anything(), (value) => {
        const state = readViewState(value);
        expect(['decisions', 'difference']).toContain(state.tab);
        expect(state.chartShare).toBeGreaterThanOrEqual(0.1);
        expect(state.chartShare).toBeLessThanOrEqual(0.9);
        expect(typeof state.decisions.search).toBe('string');
      }),
    );
  });

  it('comes back as it was', () => {
    const kept = {
      folder: 'file:///a',
      target: 't',
      study: 's',
      tab: 'difference',
      chartShare: 0.5,
      showsTable: true,
      decisions: { ...defaultDecisionView, search: 'x', state: 'out' },
      iteration: 1,
      from: 0,
      to: 2,
    };
    expect(readViewState(JSON.parse(JSON.stringify(kept)))).toEqual(kept);
  });
});
