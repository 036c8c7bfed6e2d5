import { readFileSync } from 'node:fs';
import path from 'node:path';
import Ajv from 'ajv';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { KymoError } from '../../../../src/core/errors';
import { catalogue } from '../../../../src/core/rules/catalogue';
import { isStatic } from '../../../../src/core/rules/rule';
import { readRules } from '../../../../src/workflows/dynamics/rulesFile';

interface LevelSchema {
  readonly properties: { readonly condition?: { readonly description?: string } };
}
interface RuleSchema {
  readonly definitions: {
    readonly staticRule: LevelSchema;
    readonly dynamicRule: LevelSchema;
  };
}

const schema = JSON.parse(readFileSync(path.resolve('media/kymo.rules.schema.json'), 'utf8')) as RuleSchema;
const validate = new Ajv({ allErrors: true, strict: false }).compile(schema);
/** Only the reader knows these: they are inside expressions, or join several rules. */
const beyondSchema = /\(character \d+\)\. Correct the rule/;

/** What the reader says against a file; undefined when it takes it. */
function faultOf(value: unknown): string | undefined {
  try {
    readRules(JSON.stringify(value), '/w/kymo.rules.json');
    return undefined;
  } catch (error) {
    if (error instanceof KymoError) return error.message;
    throw error;
  }
}

function agree(value: unknown): void {
  const fault = faultOf(value);
  if (fault !== undefined && beyondSchema.test(fault)) return;
  const accepted = validate(value);
  const errors = JSON.stringify(validate.errors);
  expect(accepted, `${JSON.stringify(value)} — ${fault ?? 'taken'} — ${errors}`).toBe(fault === undefined);
}

const file = (...rules: readonly unknown[]): object => ({ kymoRules: 1, rules });
const least = {
  static: { id: 's', level: 'static', title: 'S', condition: 'sum(time) > 1', severity: 'sum(time)' },
  dynamic: { id: 'd', level: 'dynamic', title: 'D', condition: 'sum(trends) > 1' },
};
const documented = [
  {
    id: 'halo',
    level: 'static',
    title: 'Halo exchange',
    kind: 'communication',
    regions: ['mpi'],
    names: 'MPI_Sendrecv*',
    let: { share: 'sum(time) / phaseTime' },
    condition: 'share > 0.02',
    severity: 'share',
  },
  {
    id: 'degradation-trend',
    level: 'dynamic',
    title: 'Degradation trend',
    kind: 'degradation-trend',
    each: 'trends',
    condition: 'patternExcess / phaseTime > 0.2 && fit > 0.8',
    confidence: 'fit',
    severity: 'patternSum / phaseTime',
  },
];

const values: readonly unknown[] = [
  ...[null, true, false, 0, 1, 2.5, '', ' ', 'a', 'a\0', '1', 'static', 'dynamic', 'ranks', 'sum'],
  ...[[], ['mpi'], ['improvement'], [''], [1], [['mpi']], {}, { a: '1' }, { a: '' }, { a: 1 }],
];
const scalar = fc.constantFrom(...values);
const wrongNowAndThen = (good: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 30, arbitrary: good }, { weight: 1, arbitrary: scalar });
const expression = fc.constantFrom('1', 'phaseTime', 'iterations > 2', '0.5');
const members = {
  title: fc.constantFrom('A', 'ü'),
  let: fc.dictionary(fc.constantFrom('a', 'b c', '', '__proto__'), wrongNowAndThen(expression), {
    maxKeys: 2,
  }),
  condition: expression,
  confidence: expression,
  severity: expression,
  next: fc.subarray(['degradation-trends', 'improvement', 'significant-variability']),
};
const membersOf = {
  static: {
    kind: fc.constantFrom('hot-spot', 'io', 'memory', 'imbalance'),
    quantity: fc.constant('Time'),
    regions: fc.subarray(['function', 'mpi', 'io', 'user']),
    names: fc.constantFrom('*', 'MPI_*'),
    impact: expression,
    across: fc.constant('ranks'),
    group: fc.constantFrom('sum', 'any'),
  },
  dynamic: {
    kind: fc.constantFrom('degradation-step', 'improvement'),
    each: fc.constantFrom('peaks', 'trends', 'patterns', 'improvements'),
    gate: fc.boolean(),
  },
};
const levels = ['static', 'dynamic'] as const;
const keys = [
  ...['id', 'level', ...Object.keys(members)],
  ...new Set([...Object.keys(membersOf.static), ...Object.keys(membersOf.dynamic)]),
];
const rulesOf = (level: (typeof levels)[number]): fc.Arbitrary<unknown> => {
  const wrong = { ...membersOf.static, ...membersOf.dynamic, sevrity: expression };
  const own = Object.entries<fc.Arbitrary<unknown>>({ ...members, ...membersOf[level] });
  const model = Object.fromEntries(own.map(([key, value]) => [key, wrongNowAndThen(value)]));
  return fc
    .record({
      some: fc.record(model, { requiredKeys: [] }),
      stray: fc.option(fc.constantFrom(...Object.keys(wrong)), { freq: 20, nil: undefined }),
      missing: fc.option(fc.constantFrom('id', 'level', 'title', 'condition', 'severity'), {
        freq: 20,
        nil: undefined,
      }),
    })
    .map(({ some, stray, missing }) => {
      const whole = { ...least[level], ...some, ...(stray === undefined ? {} : { [stray]: '1' }) };
      return Object.fromEntries(Object.entries(whole).filter(([key]) => key !== missing));
    });
};

describe('the JSON schema of rules', () => {
  it('takes what is documented, and the least that a rule needs', () => {
    for (const rules of [[], [least.static], [least.dynamic], documented, Object.values(least)]) {
      expect(faultOf(file(...rules))).toBeUndefined();
      agree({ $schema: './x.json', ...file(...rules) });
    }
  });

  it('takes and refuses what the reader takes and refuses', () => {
    const rule = wrongNowAndThen(fc.constantFrom(...levels).chain(rulesOf));
    fc.assert(
      fc.property(fc.array(rule, { maxLength: 2 }), (rules) =>
        agree(
          file(...rules.map((one, at) => (isObject(one) && 'id' in one ? { ...one, id: `r${at}` } : one))),
        ),
      ),
      { numRuns: 1000 },
    );
  });

  it('agrees on every single value in an otherwise right file', () => {
    for (const value of values) {
      for (const level of levels) for (const key of keys) agree(file({ ...least[level], [key]: value }));
      agree(value);
      agree(file(value));
      agree({ kymoRules: value, rules: [] });
      agree({ kymoRules: 1, rules: value });
      agree({ ...file(), rule: value });
    }
    agree({ kymoRules: 1 });
  });

  it('agrees on every word of every enumeration', () => {
    const told = levels.flatMap((level) => [
      faultOf(file({ ...least[level], kind: '?' })),
      faultOf(file({ ...least[level], each: '?' })),
      faultOf(file({ ...least[level], group: '?' })),
      faultOf(file({ ...least[level], regions: ['?'] })),
    ]);
    const words = new Set(`${told.join()} ${JSON.stringify(schema)}`.match(/[a-z]+(?:-[a-z]+)*/g));
    expect(words.size).toBeGreaterThan(100);
    for (const word of words)
      for (const level of levels) {
        for (const key of ['level', 'kind', 'each', 'across', 'group'])
          agree(file({ ...least[level], [key]: word }));
        agree(file({ ...least[level], regions: [word] }));
      }
  });

  it('refuses what the reader would have taken for something else', () => {
    expect(faultOf(file({ ...least.dynamic, gate: 'yes' }))).toContain('"gate" must be true or false');
    expect(faultOf(file({ ...least.dynamic, gate: true }))).toBeUndefined();
    expect(faultOf(file({ ...least.static, gate: true }))).toContain('has no key "gate"');
  });

  it('offers the rules that come with Kymo, by their level', () => {
    const idsOf = (wanted: boolean): readonly string[] =>
      catalogue.filter((rule) => isStatic(rule) === wanted).map(({ definition }) => definition.id);
    const texts = JSON.stringify(schema);
    expect(texts).toContain(`{"enum":${JSON.stringify(idsOf(true))}}`);
    expect(texts).toContain(`"dynamicId":{"enum":${JSON.stringify(idsOf(false))}}`);
  });

  it.each([
    ['static', least.static],
    ['dynamic', { ...least.dynamic, each: 'trends' }],
  ] as const)(
    'names everything that a condition of the level %s may use, and nothing else',
    (level, rule) => {
      const description = schema.definitions[`${level}Rule`].properties.condition?.description ?? '';
      const [, known = ''] =
        /there is no 'nothing'; there are (.*?) \(character/.exec(
          faultOf(file({ ...rule, condition: 'nothing' })) ?? '',
        ) ?? [];
      const named = [
        ...description.matchAll(/(?:Energies[^:]*|Values|Settings|also)[: ]+([\w, ]+)\./g),
      ].flatMap(([, names = '']) => names.split(', '));
      expect(named.sort()).toEqual(known.split(', ').sort());
    },
  );

  it.each(levels)('describes every key of the level %s', (level) => {
    const properties = schema.definitions[`${level}Rule`].properties;
    const keys = ['id', 'level', ...Object.keys(members), ...Object.keys(membersOf[level])];
    expect(Object.keys(properties).sort()).toEqual(keys.sort());
  });
});

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
