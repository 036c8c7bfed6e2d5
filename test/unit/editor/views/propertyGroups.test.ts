import { describe, expect, it } from 'vitest';
import type { Property } from '../../../../src/core/properties/property';
import {
  countFrom,
  evidenceName,
  evidenceValue,
  groupProperties,
  propertyDescription,
  propertyLabel,
  propertyTooltip,
} from '../../../../src/editor/views/propertyGroups';

function found(id: string, facts: Partial<Property> = {}): Property {
  return {
    id,
    kind: 'hot-spot',
    title: `title of ${id}`,
    severity: 0.1,
    confidence: 1,
    evidence: {},
    ...facts,
  };
}

const at = (name: string, file: string, line: number) => ({ region: { name, file, line } });

const properties = [
  found('h1', { severity: 0.3, ...at('sweep', '/w/src/main.c', 12) }),
  found('h2', { severity: 0.04, ...at('many', '/w/many.c', 3) }),
  found('o1', { kind: 'excessive-overhead', severity: 0.5, ...at('sweep', '/w/src/main.c', 12) }),
  found('o2', { kind: 'excessive-overhead', severity: 0.002, refines: 'o1', ...at('tiny', '/w/many.c', 1) }),
];

describe('groups of properties', () => {
  const labels = (by: 'kind' | 'file' | 'region' | 'severity', threshold = 0): readonly string[] =>
    groupProperties(properties, by, threshold, '/w').map(
      ({ label, branches }) => `${label}: ${branches.map((one) => one.property.id).join(' ')}`,
    );

  it('are by kind, file, region or severity, the most severe first', () => {
    expect(labels('kind')).toEqual(['Excessive overhead: o1', 'Hot spots: h1 h2']);
    expect(labels('file')).toEqual(['src/main.c: o1 h1', 'many.c: h2']);
    expect(labels('region')).toEqual(['sweep: o1 h1', 'many: h2']);
    expect(labels('severity')).toEqual(['20 % of the run time and more: o1 h1', '1 % to 5 %: h2']);
  });

  it('keep what is below the threshold out', () => {
    expect(labels('kind', 0.2)).toEqual(['Excessive overhead: o1', 'Hot spots: h1']);
    expect(countFrom(properties, 0.2)).toBe(2);
  });

  it('show what makes a property more precise below it; without its parent it stands alone', () => {
    const [group] = groupProperties(properties, 'kind', 0, '/w');
    expect(group?.branches[0]?.refinedBy.map(({ property }) => property.id)).toEqual(['o2']);
    expect(
      groupProperties([found('x', { refines: 'gone' })], 'kind', 0, '/w')[0]?.branches[0]?.property.id,
    ).toBe('x');
  });

  it('survive properties that refine each other in a circle', () => {
    const circle = [found('a', { refines: 'b' }), found('b', { refines: 'a' }), found('c', { refines: 'c' })];
    expect(groupProperties(circle, 'kind', 0, '/w')[0]?.branches).toHaveLength(3);
  });
});

describe('a property', () => {
  it('is told by number and place; its label leaves out what the group says', () => {
    const [sweep] = properties;
    if (sweep === undefined) throw new Error('no property');
    expect(propertyDescription(sweep)).toBe('30 % · main.c:12');
    expect(propertyLabel(sweep, 'kind')).toBe('sweep');
    expect(propertyLabel(sweep, 'region')).toBe('Hot spots');
    expect(propertyLabel(found('p'), 'kind')).toBe('title of p');
  });

  it('has evidence with units', () => {
    expect([evidenceName('pureSeconds'), evidenceValue('pureSeconds', 0.0123)]).toEqual([
      'pure time',
      '12.3 ms',
    ]);
    expect(evidenceValue('exclusiveShare', 0.25)).toBe('25.0 %');
    expect(evidenceValue('visits', 1_200_000)).toBe('1.2 M');
    expect(evidenceValue('overheadRatio', Number.MAX_VALUE)).toBe('more than can be told');
  });

  it('is safe Markdown', () => {
    const text = propertyTooltip(found('x', { title: '<script> | [x](command:y)', evidence: { visits: 3 } }));
    expect(text).not.toContain('<script>');
    expect(text).toContain('\\|');
    expect(text).not.toContain('](command');
  });
});
