import { describe, expect, it } from 'vitest';
import type { GroupRow, ProcessGroups } from '../../../../src/core/views/groupSummary';
import { densities, GroupModel, type GroupOrder } from '../../../../webview/hotSpots/groups/groupModel';

const range = (minimum: number, mean: number, maximum: number) => ({ minimum, mean, maximum });
const row = (text: string, members: readonly number[], count: number, more: Partial<GroupRow>): GroupRow => ({
  ...{ group: 0, text, members, count, similarity: 1, sections: [] },
  ...more,
});
const rows = [
  row('Ranks 1–3', [1, 3], 3, {
    sections: [range(1, 2, 4), undefined, range(0, 0.5, 1)],
    whole: range(1, 2.5, 5),
  }),
  row('Rank 4', [4, 4], 1, { sections: [range(2, 2, 2), range(8, 8, 8)], whole: range(10, 10, 10) }),
  row('Rank 0', [0, 0], 1, { sections: [], whole: range(3, 3, 3) }),
];
const groups: ProcessGroups = {
  heading: '5 processes in 3 groups',
  notes: [],
  numbers: Uint32Array.of(0, 1, 2, 3, 4),
  noun: 'rank',
  hasThreads: false,
  functions: [5, 7],
  groups: rows,
  leftOut: 0,
};
const model = (
  order: GroupOrder,
  scale: 'row' | 'all' = 'row',
  isShown: (of: GroupRow) => boolean = () => true,
) => new GroupModel(groups, ['solve', 'write', 'All other functions'], order, scale, isShown);

describe('groups as rows', () => {
  it('stand in the order that was asked for', () => {
    const texts = (order: GroupOrder) => model(order).rows.map(({ text }) => text);
    expect(texts('count')).toEqual(['Ranks 1–3', 'Rank 0', 'Rank 4']);
    expect(texts('time')).toEqual(['Rank 4', 'Rank 0', 'Ranks 1–3']);
    expect(texts('place')).toEqual(['Rank 0', 'Ranks 1–3', 'Rank 4']);
    expect(model('place', 'row', ({ count }) => count === 1).rows).toHaveLength(2);
  });

  it('have sections as long as the most time of a member: of the bar, or on one scale', () => {
    const sections = (scale: 'row' | 'all') => model('count', scale).sections(rows[0] ?? row('', [], 0, {}));
    expect(sections('row')).toEqual([
      { place: 0, begin: 0, least: 0.2, mean: 0.4, most: 0.8 },
      { place: 2, begin: 0.8, least: 0.8, mean: 0.9, most: 1 },
    ]);
    // The longest bar has 10 s.
    expect(sections('all').map(({ most }) => most)).toEqual([0.4, 0.5]);
  });

  it('say what they are', () => {
    const { rowText, sectionText, counted, countText } = {
      rowText: (own: GroupRow) => model('count').rowText(own),
      sectionText: (own: GroupRow, place: number) => model('count').sectionText(own, place),
      counted: (count: number) => model('count').counted(count),
      countText: (own: GroupRow) => model('count').countText(own),
    };
    const [first, second] = rows as [GroupRow, GroupRow];
    expect(rowText(first)).toBe('Ranks 1–3: 3 of 5 processes, each 2.5 s on average, from 1 s to 5 s');
    expect(rowText({ ...second, similarity: 0.97, sentence: 'It writes.' })).toBe(
      'Rank 4: 1 of 5 processes, at least 97.0 % alike, each 10 s. It writes.',
    );
    expect(sectionText(second, 1)).toBe('write: 8 s. Rank 4, 1 of 5 processes');
    expect(sectionText(first, 1)).toBe(rowText(first));
    expect([counted(1), counted(2), countText(first)]).toEqual([
      '1 process',
      '2 processes',
      '3 of 5 processes',
    ]);
  });

  it('are where their members are among all processes', () => {
    expect([...densities([0, 0, 2, 3], 4, 4)]).toEqual([1, 0, 1, 1]);
    // Two processes share a column.
    expect([...densities([0, 0, 2, 3], 4, 2)].map((sum) => sum)).toEqual([0.5, 1]);
    const odd = Array.from({ length: 500 }, (_, at) => [2 * at + 1, 2 * at + 1]).flat();
    for (const part of densities(odd, 1000, 100)) expect(part).toBeCloseTo(0.5, 9);
    expect(densities([990, 999], 1000, 100).at(-1)).toBeCloseTo(1, 9);
  });
});
