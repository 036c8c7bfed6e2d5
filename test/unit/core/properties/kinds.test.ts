import { describe, expect, it } from 'vitest';
import { isDynamic, kindRecord, type PropertyKind } from '../../../../src/core/properties/kinds';
import { degradationKinds } from '../../../../src/core/properties/kinds/degradations';
import { modelKinds } from '../../../../src/core/properties/kinds/models';
import { profileKinds } from '../../../../src/core/properties/kinds/profile';

const kinds = Object.keys({ ...profileKinds, ...degradationKinds, ...modelKinds }) as PropertyKind[];

describe('the record of a kind of property', () => {
  it.each(kinds)('%s has words and signs for every surface', (kind) => {
    expect(kindRecord(kind)).toEqual({
      label: expect.stringMatching(/^[A-Z][a-z]/) as string,
      plural: expect.stringMatching(/^[A-Z][A-Za-z]/) as string,
      // A sentence.
      description: expect.stringMatching(/^[A-Z].*[^.]\.$/) as string,
      // The name of a codicon.
      icon: expect.stringMatching(/^[a-z]+(-[a-z]+)*$/) as string,
      sign: expect.stringMatching(/^\S$/u) as string,
      direction: expect.stringMatching(/^(worse|better|neutral)$/) as string,
      level: expect.stringMatching(/^(error|warning|information|note)$/) as string,
      group: expect.stringMatching(/^(time|measurement|change|growth)$/) as string,
      inSource: expect.stringMatching(/^(lens|numbers)$/) as string,
      ranks: expect.stringMatching(/^(in title|after title)$/) as string,
    });
  });

  it('has words that no other kind has', () => {
    for (const field of ['label', 'description'] as const)
      expect(new Set(kinds.map((kind) => kindRecord(kind)[field])).size, field).toBe(kinds.length);
  });

  it('shares its group with a kind that differs in number only, and with no other', () => {
    const groups = new Map<string, string[]>();
    for (const kind of kinds) {
      const { plural } = kindRecord(kind);
      groups.set(plural, [...(groups.get(plural) ?? []), kind]);
    }
    const shared = [...groups.values()].filter(({ length }) => length > 1);
    expect(shared).toEqual([
      ['degradation-trend', 'degradation-trends'],
      ['degradation-peak', 'degradation-peaks'],
    ]);
  });

  it('is in the source with the numbers of its function, or by itself where it changes over the run or grows', () => {
    for (const kind of kinds) {
      const { group, inSource, ranks } = kindRecord(kind);
      // A late rank is what its title names.
      const named = group !== 'change' || kind === 'late-rank';
      expect([kind, inSource, ranks]).toEqual([
        kind,
        group === 'change' || group === 'growth' ? 'lens' : 'numbers',
        named ? 'in title' : 'after title',
      ]);
      expect(isDynamic({ kind })).toBe(group === 'change');
    }
    expect(Object.keys(degradationKinds).every((kind) => kindRecord(kind).group === 'change')).toBe(true);
    expect(Object.keys(profileKinds).some((kind) => kindRecord(kind).group === 'change')).toBe(false);
  });

  it('is made up for a kind of a newer version, also where it is called like a part of an object', () => {
    for (const kind of ['from-the-future', 'toString'])
      expect(kindRecord(kind)).toEqual({
        label: kind,
        plural: kind,
        description: 'A newer version of Kymo knows this kind.',
        direction: 'neutral',
        level: 'note',
        icon: 'circle-outline',
        sign: '·',
        group: 'time',
        inSource: 'lens',
        ranks: 'in title',
      });
  });

  it.each<[PropertyKind, string]>([
    ['hot-spot', 'worse note time'],
    ['excessive-overhead', 'worse warning measurement'],
    ['inlined-away', 'neutral information measurement'],
    ['not-recorded', 'neutral information measurement'],
    ['unknown-time', 'neutral note time'],
    ['start-up', 'worse note time'],
    ['degradation-trend', 'worse information change'],
  ])('%s: %s', (kind, words) => {
    const { direction, level, group } = kindRecord(kind);
    expect(`${direction} ${level} ${group}`).toBe(words);
  });
});
