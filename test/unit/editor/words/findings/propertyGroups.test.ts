import { describe, expect, it } from 'vitest';
import type { Property } from '../../../../../src/core/properties/property';
import {
  commonRun,
  countFrom,
  evidenceName,
  evidenceValue,
  groupProperties,
  missingText,
  propertyDescription,
  propertyLabel,
  propertyTooltip,
} from '../../../../../src/editor/words/findings/propertyGroups';

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

describe('groups of degradations', () => {
  const wait = { region: { name: 'MPI_Wait', file: '/w/exchange.c', line: 40 } };
  const found3 = [
    found('s', { kind: 'communication', severity: 0.26, ranks: '0-31', ...wait }),
    found('t', {
      kind: 'degradation-trend',
      severity: 0.17,
      ranks: '4,27,30',
      iterations: [[1, 92]],
      refines: 's',
      ...wait,
    }),
    found('p', {
      kind: 'degradation-peaks',
      severity: 0.04,
      ranks: '0-31',
      iterations: [
        [5, 7],
        [51, 57],
      ],
      refines: 's',
      ...wait,
    }),
  ];
  const labels = (by: 'kind' | 'region' | 'file' | 'ranks', threshold = 0): readonly string[] =>
    groupProperties(found3, by, threshold, '/w').map(
      ({ label, branches }) => `${label}: ${branches.map((one) => one.property.id).join(' ')}`,
    );

  it('stand by themselves by kind and by rank set', () => {
    expect(labels('kind')).toEqual(['Communication: s', 'Degradation trends: t', 'Degradation peaks: p']);
    expect(labels('ranks')).toEqual(['ranks 0-31: s p', 'ranks 4,27,30: t']);
  });

  it('lie below the problem that they refine by region and by file', () => {
    expect(labels('region')).toEqual(['MPI_Wait: s']);
    expect(labels('file')).toEqual(['exchange.c: s']);
    const [region] = groupProperties(found3, 'region', 0, '/w');
    expect(region?.branches[0]?.refinedBy.map(({ property }) => property.id)).toEqual(['t', 'p']);
  });

  it('say when, and on which ranks', () => {
    const [, trend, peaks] = found3;
    if (trend === undefined || peaks === undefined) throw new Error('no properties');
    expect(propertyDescription(trend, 'kind')).toBe('17 % · [1–92] · ranks 4,27,30 · exchange.c:40');
    expect(propertyDescription(peaks, 'ranks')).toBe('4.0 % · [5–7], [51–57] · exchange.c:40');
    expect(propertyTooltip(peaks)).toContain('Iterations \\[5–7\\], \\[51–57\\]');
  });

  it('are grouped again without time that grows faster than their number', () => {
    // A chain of refinements: looking each one up to its end would be 12.5 million steps.
    const chain = Array.from({ length: 5_000 }, (_, at) =>
      found(`c${String(at)}`, {
        severity: 1 / (at + 1),
        ...(at === 0 ? {} : { refines: `c${String(at - (at % 10 === 0 ? 10 : 1))}` }),
      }),
    );
    expect(groupProperties(chain, 'kind', 0, '/w')).toHaveLength(1);
    expect(countFrom(chain, 0.5)).toBe(2);
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
    expect(evidenceValue('overheadRatio', Number.MAX_VALUE)).toBe('too large to show');
  });

  it('is safe Markdown', () => {
    const text = propertyTooltip(found('x', { title: '<script> | [x](command:y)', evidence: { visits: 3 } }));
    expect(text).not.toContain('<script>');
    expect(text).toContain('\\|');
    expect(text).not.toContain('](command');
  });
});

describe('what the view says beside findings', () => {
  const some = { properties: [found('h1')] };
  const none = { properties: [] };

  it('is why the study has none, unless another source has some', () => {
    const study = { ...none, missing: 'deleted' };
    expect(missingText([study])).toBe('deleted');
    expect(missingText([study, none])).toBe('deleted');
    expect(missingText([study, none, some])).toBeUndefined();
    expect(missingText([some, none])).toBeUndefined();
    expect(missingText([])).toBeUndefined();
  });

  it('is what cannot be read, whatever other sources have', () => {
    expect(missingText([{ ...none, unreadable: 'damaged' }, some])).toBe('damaged');
  });
});

describe('the run of properties', () => {
  const of = (id: string, run: string): Property =>
    found(id, { base: { run, clock: 'cpu', seconds: 1, leftOut: [] } });
  const [last, same, earlier] = [of('a', 'i2.r1'), of('b', 'i2.r1'), of('c', 'i0.r1')];

  it('is in the title of the view, and in the rows of other runs', () => {
    expect(commonRun([last, earlier, same])).toBe('i2.r1');
    expect(commonRun([found('x')])).toBeUndefined();
    expect(propertyDescription(last, 'kind', 'i2.r1')).toBe('10 %');
    expect(propertyDescription(earlier, 'kind', 'i2.r1')).toBe('10 % · run i0.r1');
  });
});
