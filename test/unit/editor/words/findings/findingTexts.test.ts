import { describe, expect, it } from 'vitest';
import {
  findingsHover,
  problemsAtLine,
  titlesAtLine,
} from '../../../../../src/editor/words/findings/findingTexts';
import type { FoundProperty } from '../../../../../src/workflows/views/dynamicsInSource';

const trend: FoundProperty = {
  id: 't',
  kind: 'degradation-trend',
  title: 'Time of sweep rises by 95 % in iterations 33–128',
  severity: 0.28,
  confidence: 1,
  evidence: {},
  iterations: [[33, 128]],
  ranks: '4-6',
};
const peak: FoundProperty = {
  ...trend,
  id: 'p',
  kind: 'degradation-peak',
  title: 'Time of sweep peaks in iteration 7',
  severity: 0.04,
  iterations: [[7, 7]],
};
const step: FoundProperty = { ...peak, id: 's', kind: 'degradation-step', severity: 0.02 };
const at = { line: 12, stale: false, properties: [trend, peak, step] };
const titles = (...given: Parameters<typeof titlesAtLine>): readonly string[] =>
  titlesAtLine(...given).map(({ title }) => title);

describe('what a line says of its degradations', () => {
  it('is the same above it and behind it, the most severe first, and how many more there are', () => {
    const words = '↗ degradation trend [33–128] · 28 % · ranks 4-6';
    expect(titles(at, 0, 2)).toEqual([words, '∧ degradation peak [7] · 4.0 % · ranks 4-6 · and 1 more']);
    expect(titles(at, 0, 1)).toEqual([`${words} · and 2 more`]);
    expect(titles(at, 0.1, 1)).toEqual([words]);
    expect(titles(at, 0.3, 1)).toEqual([]);
  });

  it('leaves out what is in the numbers of the function', () => {
    const hot: FoundProperty = { ...trend, id: 'h', kind: 'hot-spot' };
    expect(titles({ ...at, properties: [hot] }, 0, 2)).toEqual([]);
  });

  it('says that the source is another than what was measured', () => {
    expect(titles({ ...at, stale: true }, 0.03, 1)).toEqual([
      '↗ degradation trend [33–128] · 28 % · ranks 4-6 · changed since the run · and 1 more',
    ]);
  });
});

describe('what a line says of a baseline', () => {
  const judged = (kind: FoundProperty['kind'], evidence: FoundProperty['evidence'], severity?: number) => ({
    ...{ line: 3, stale: false },
    properties: [
      {
        ...{ id: kind, kind, title: kind, confidence: 1, evidence },
        ...(severity === undefined ? {} : { severity }),
      },
    ],
  });

  it('is the change, how far a budget is exceeded, or what is open', () => {
    expect(titles(judged('regression', { ratio: 1.18 }), 0, 2)).toEqual(['▲ +18 % since baseline']);
    expect(titles(judged('faster', { ratio: 0.7 }), 0, 2)).toEqual(['▼ −30 % since baseline']);
    expect(titles(judged('over-budget', { ratio: 1.5 }), 0, 2)).toEqual(['▲ +50 % over budget']);
    const open = judged('cannot-tell', { ratio: 1.04, least: 0.98, most: 1.1 });
    expect(titles(open, 0, 2)).toEqual(['? −2.0 % to +10 % since baseline: cannot tell']);
    expect(titles(judged('cannot-tell', { ratio: 1.04 }), 0, 2)).toEqual([
      '? +4.0 % since baseline: cannot tell',
    ]);
  });

  it('is shown whatever its share where it fails the gate, else from the threshold on', () => {
    expect(titles(judged('regression', { ratio: 1.18 }, 0.001), 0.05, 2)).toHaveLength(1);
    expect(titles(judged('over-budget', { ratio: 1.18 }), 0.05, 2)).toHaveLength(1);
    expect(titles(judged('cannot-tell', { least: 0.9, most: 1.1 }, 0.04), 0.05, 2)).toEqual([]);
    expect(titles(judged('faster', { ratio: 0.7 }, 0.04), 0.05, 2)).toEqual([]);
  });
});

describe('what a line says of how its function grows', () => {
  const model = {
    metric: 'time',
    formula: '5 s + 100 ms · p · log₂ p',
    growth: 'O(p · log₂ p)',
    whole: 'the time predicted for p = 320',
    facts: ['Predicted for p = 320: 4 min 31 s.', 'SMAPE 0.1 % over 5 points.'],
  };
  const growing: FoundProperty = {
    ...{ id: 'g', kind: 'growth', title: 'solve grows with p · log₂ p', severity: 0.4, confidence: 1 },
    ...{ evidence: {}, model },
  };
  const line = (property: FoundProperty) => ({ line: 4, stale: false, properties: [property] });
  const title = (change: Partial<FoundProperty['model']> & object, kind = growing.kind) =>
    titles(line({ ...growing, kind, model: { ...model, ...change } }), 0, 2);

  it('is its formula, with what is wrong with it', () => {
    expect(title({})).toEqual(['↗ 5 s + 100 ms · p · log₂ p']);
    expect(title({ doubt: 'noise too large' })).toEqual(['↗ 5 s + 100 ms · p · log₂ p · noise too large']);
    expect(title({ metric: 'visits', formula: '1 · n²' })).toEqual(['↗ 1 · n² visits']);
    expect(title({ expected: 'O(p)' }, 'scales-worse-than-expected')).toEqual([
      '↗ scales worse than expected (O(p)): 5 s + 100 ms · p · log₂ p',
    ]);
  });

  it('has no icons and line breaks from names of parameters, and is short', () => {
    const [text = ''] = title({ formula: `1 s · $(bug)\n${'p'.repeat(500)}` });
    expect(text).not.toContain('$(bug)');
    expect(text).not.toContain('\n');
    expect(text.length).toBeLessThan(140);
  });

  it('is in the hover with all that is known of it', () => {
    const text = findingsHover(
      line({ ...growing, model: { ...model, facts: ['[x](command:evil)'] } }),
      0,
      () => ({
        title: 'Show in Models Panel',
        command: 'kymo.showModels',
        arguments: [],
      }),
    );
    expect(text).toContain('**time = 5 s \\+ 100 ms · p · log₂ p**');
    expect(text).not.toContain('](command:evil)');
    expect(text).toContain('[Show in Models Panel](command:kymo.showModels?');
  });
});

describe('the hover of a degradation', () => {
  const input = { kind: 'files', files: ['/w/a (1).kseries.ndjson'] } as const;
  const textOf = (given: typeof at, threshold = 0): string | undefined =>
    findingsHover(given, threshold, (property) => ({
      title: 'Show in Dynamics Panel',
      command: 'kymo.showDynamics',
      arguments: [{ input, property: property.id }],
    }));

  it('has the whole sentences and leads to the panel', () => {
    const text = textOf(at) ?? '';
    expect(text).toContain('Time of sweep rises by 95 % in iterations 33–128 \\(ranks 4\\-6\\)');
    expect(text).toContain('Time of sweep peaks in iteration 7');
    const [, query = ''] = /\(command:kymo\.showDynamics\?([^)]*)\)/.exec(text) ?? [];
    expect(JSON.parse(decodeURIComponent(query))).toEqual([{ input, property: 't' }]);
  });

  it('has what to do next, as text', () => {
    const advice = 'Post the receive early ($(bug) [x](command:evil)).';
    const text =
      textOf({ ...at, properties: at.properties.map((property) => ({ ...property, advice })) }) ?? '';
    expect(text).toContain('Next: Post the receive early');
    expect(text).not.toContain('](command:evil)');
    expect(text).not.toContain(' $(bug)');
    expect(textOf(at)).not.toContain('Next:');
  });

  it('is about what the text shows', () => {
    expect(textOf(at, 0.1)).not.toContain('peaks in iteration 7');
    expect(textOf(at, 0.5)).toBeUndefined();
    expect(textOf({ ...at, stale: true })).toContain('Changed since the run');
  });

  it('is bounded', () => {
    const properties = Array.from({ length: 40 }, (_, place) => ({ ...peak, id: `${place}` }));
    const text = textOf({ ...at, properties }) ?? '';
    expect(text.match(/peaks in iteration/g)).toHaveLength(5);
    expect(text).toContain('and 35 more');
  });

  it('shows names as they are', () => {
    const hostile = { ...trend, title: '[x](command:evil) <img src=x> $(bug) **y**' };
    const text = textOf({ ...at, properties: [hostile] }) ?? '';
    expect(text).not.toContain('](command:evil)');
    expect(text).not.toContain('<img');
    expect(text).not.toContain(' $(bug)');
  });
});

describe('the problems of a line', () => {
  const costly: FoundProperty = {
    id: 'excessive-overhead:hot',
    kind: 'excessive-overhead',
    title: 'Recording hot(int) costs 40 % of the run time (1.2 M visits)',
    severity: 0.4,
    confidence: 1,
    evidence: {},
  };
  const messages = (properties: readonly FoundProperty[], stale = false): readonly string[] =>
    problemsAtLine({ line: 3, stale, properties }, () => true).map(({ message }) => message);

  it('are one for all instances of a template', () => {
    const others = [costly, { ...costly, id: 'b', severity: 0.1 }, { ...costly, id: 'c', severity: 0.1 }];
    expect(messages(others.slice(0, 2))).toEqual([`${costly.title}; so does one more instance`]);
    expect(messages(others)).toEqual([`${costly.title}; so do 2 more instances`]);
  });

  it('are each degradation by itself', () =>
    expect(messages([trend, { ...trend, id: 'u' }, peak])).toHaveLength(3));

  it('say when the function changed since', () =>
    expect(messages([costly], true)).toEqual([`${costly.title} (changed since the run)`]));

  it('are only those that the source reports', () =>
    expect(problemsAtLine(at, ({ id }) => id === 'p').map(({ property }) => property)).toEqual([peak]));

  it('cut a name of 10 kB', () =>
    expect(messages([{ ...costly, title: 'n'.repeat(10_000) }])[0]?.length).toBeLessThan(250));
});
