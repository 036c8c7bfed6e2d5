import { readFileSync } from 'node:fs';
import path from 'node:path';
import Ajv, { type ErrorObject } from 'ajv';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseConfig } from '../../../../src/measurement/config/parseConfig';
import { file, minimal } from './configText';

describe('the JSON schema', () => {
  const schema = JSON.parse(readFileSync(path.resolve('media/kymo.schema.json'), 'utf8')) as object;
  const ajv = new Ajv({ allErrors: true, strict: false });
  const validate = ajv.compile(schema);
  /** Only the parser knows these: they join several places or look at the file system. */
  const beyondSchema = /two targets|is no parameter of this target/;

  const agree = (value: unknown): void => {
    validate(value);
    const errors: readonly ErrorObject[] = validate.errors ?? [];
    const wrong = errors.some((error) => error.keyword !== 'additionalProperties');
    const unknown = errors.some((error) => error.keyword === 'additionalProperties');
    let message: string | undefined;
    let warned = false;
    try {
      warned = parseConfig(JSON.stringify(value), file).warnings.some(({ message: text }) =>
        text.includes('has no key'),
      );
    } catch (error) {
      message = (error as Error).message;
    }
    const described = `${JSON.stringify(value)} — ${message ?? 'accepted'} — ${JSON.stringify(errors)}`;
    if (message === undefined || !beyondSchema.test(message))
      expect(message !== undefined, described).toBe(wrong);
    if (message === undefined) expect(warned, described).toBe(unknown);
  };

  const scalar = fc.constantFrom<unknown>(
    null,
    true,
    0,
    -1,
    1,
    2.5,
    1e300,
    '',
    ' ',
    'a',
    'a\0',
    'local',
    [],
    ['x'],
    [1],
    [0],
    {},
    { a: 1 },
  );
  const maybe = (good: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
    fc.oneof({ weight: 8, arbitrary: good }, { weight: 1, arbitrary: scalar });
  const record = (members: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<unknown> =>
    maybe(
      fc
        .record<Record<string, unknown>>(
          { ...members, unkown: scalar },
          { requiredKeys: Object.keys(members) },
        )
        .chain((whole) =>
          fc
            .subarray([...Object.keys(members), 'unkown'], { minLength: 0 })
            .map((drop) =>
              drop.length > 2
                ? whole
                : Object.fromEntries(Object.entries(whole).filter(([key]) => !drop.includes(key))),
            ),
        ),
    );
  const text = fc.constantFrom('a', 'b c', 'ü', './a');
  const configs = record({
    version: fc.constant(1),
    targets: fc.array(
      record({
        name: text,
        build: record({ command: text, clean: text, cwd: text }),
        sources: fc.array(text),
        executable: text,
        run: record({
          arguments: fc.array(text),
          cwd: text,
          environment: fc.dictionary(fc.constantFrom('A', 'B=', ''), text),
          timeoutSeconds: fc.constantFrom(0.5, 600),
          input: text,
          files: fc.dictionary(fc.constantFrom('a', 'run.in', '__proto__', '../a', '.a', 'a/b', ''), text),
          successStatuses: fc.array(fc.integer({ min: 0, max: 255 }), { maxLength: 2 }),
          launcher: record({
            kind: fc.constantFrom('local', 'mpirun', 'slurm', 'template'),
            ranks: fc.constantFrom<unknown>(1, 4, [2, 4], 0, 1.5),
            arguments: fc.array(text),
            command: fc.array(
              fc.constantFrom('mpirun', '${program}', 'a ${program}', '$${program}', '$$${program}'),
              { maxLength: 2 },
            ),
          }),
        }),
        parameters: fc.dictionary(
          fc.constantFrom('n', 'r2', 'ranks', '1', 'a.b', '__proto__'),
          fc.array(fc.constantFrom<unknown>(1, -2.5, 'x', '', true)),
        ),
        repetitions: fc.constantFrom<unknown>(1, 3, 1.5, 0),
        phase: text,
        trace: record({
          memory: fc.constantFrom<unknown>(1, 64, 0, 1.5, 2 ** 21),
          full: fc.constantFrom('stop', 'last', 'first'),
          iterations: fc.constantFrom('10-12', '7', '0-3', '3-', 'x', ''),
        }),
        refinement: record({
          strategy: fc.constantFrom('hotspot', 'tor', 'por', 'agor', 'imbalance', 'model', 'all'),
          base: fc.constantFrom('tor', 'por', 'agor'),
          mode: fc.constantFrom('filter-only', 'filter-and-expand', 'none'),
          maximumIterations: fc.constantFrom(1, 5, 0),
          overheadPercent: fc.constantFrom(5, 0.5, 0),
          budgetSeconds: fc.constantFrom(1, 60),
          imbalance: record({
            metric: fc.constantFrom('imbalance-percentage', 'efficiency', 'variation', 'ratio'),
            imbalanceThreshold: fc.constantFrom(0.05, 1.05, 0),
            relevanceThreshold: fc.constantFrom(0.05, -1),
            childRelevance: fc.constantFrom(
              'all',
              'constant',
              'relative-to-parent',
              'relative-to-main',
              'none',
            ),
            childConstantThreshold: fc.constantFrom(150, 0),
            childFraction: fc.constantFrom(3e-5, 'x'),
            context: fc.constantFrom(
              'none',
              'all-paths',
              'major-paths',
              'major-parents',
              'synchronisation',
              'x',
            ),
            contextSteps: fc.constantFrom(1, 1.5),
            steps: fc.constant(1),
          }),
          model: record({
            extrapolate: fc.dictionary(
              fc.constantFrom('n', 'ranks', 'threads'),
              fc.constantFrom<unknown>('linear', 'geometric', 512, 0.5, 0, 'twice', true),
              { maxKeys: 2 },
            ),
            keep: fc.constantFrom('share', 'seconds', 'growth', 'all'),
            threshold: fc.constantFrom(0.02, 2.1, 0),
            growth: fc.constantFrom('O(n)', ' ', 'x'),
            constants: fc.constantFrom('keep', 'drop', 'none'),
            aggregate: fc.constantFrom('sum', 'maximum', 'average', 'first', 'median'),
            statements: fc.constantFrom(200, 0),
            point: fc.constant(1),
          }),
        }),
        study: record({
          parameters: fc.dictionary(
            fc.constantFrom('n', 'm'),
            fc.array(fc.constantFrom<unknown>(1, 'x', '', true), { maxLength: 2 }),
          ),
          ranks: fc.constantFrom<unknown>(1, [2, 4], [], 1.5),
          threads: fc.constantFrom<unknown>([1, 2], 0),
          repetitions: fc.constantFrom(5, 0),
          design: fc.constantFrom('all', 'one-at-a-time', 'linear', 'list', 'some'),
          points: fc.array(
            fc.dictionary(fc.constantFrom('n', 'ranks'), fc.constantFrom<unknown>(1, 'x', 0.5)),
            { maxLength: 2 },
          ),
        }),
        gate: record({
          baseline: text,
          filter: text,
          repetitions: fc.constantFrom<unknown>(10, 0, 1.5),
          changePercent: fc.constantFrom<unknown>(3, 0.5, 0),
          budgets: record({
            seconds: fc.constantFrom<unknown>(1.5, 0),
            memoryMegabytes: fc.constantFrom<unknown>(100, -1),
            imbalancePercent: fc.constantFrom<unknown>(5, 'x'),
            overheadPercent: fc.constantFrom<unknown>(2, 0),
            growthPercent: fc.constantFrom<unknown>(10, -1),
            functions: fc.dictionary(
              fc.constantFrom('solve', 'a b', '__proto__', ''),
              record({
                seconds: fc.constantFrom<unknown>(1, 0),
                changePercent: fc.constantFrom<unknown>(2, 'x'),
              }),
              { maxKeys: 2 },
            ),
          }),
        }),
        backend: fc.constantFrom('auto', 'kymo', 'scorep', 'tau'),
      }),
      { maxLength: 2 },
    ),
  });

  it('accepts and refuses what the parser accepts and refuses', () => {
    fc.assert(fc.property(configs, agree), { numRuns: 3000 });
  });
  it('agrees on single wrong values in an otherwise right file', () => {
    const places: readonly ((value: unknown) => object)[] = [
      (value) => ({ name: value }),
      (value) => ({ build: value }),
      (value) => ({ build: { command: value } }),
      (value) => ({ sources: value }),
      (value) => ({ executable: value }),
      (value) => ({ run: value }),
      (value) => ({ run: { arguments: value } }),
      (value) => ({ run: { environment: value } }),
      (value) => ({ run: { timeoutSeconds: value } }),
      (value) => ({ run: { input: value } }),
      (value) => ({ run: { successStatuses: value } }),
      (value) => ({ run: { files: value } }),
      (value) => ({ run: { files: { a: value } } }),
      (value) => ({ run: { launcher: value } }),
      (value) => ({ run: { launcher: { kind: value } } }),
      (value) => ({ run: { launcher: { kind: 'mpirun', ranks: value } } }),
      (value) => ({ run: { launcher: { kind: 'template', ranks: 2, command: value } } }),
      (value) => ({ run: { launcher: { kind: 'mpirun', ranks: 2, command: value } } }),
      (value) => ({ parameters: value }),
      (value) => ({ parameters: { n: value } }),
      (value) => ({ repetitions: value }),
      (value) => ({ refinement: value }),
      (value) => ({ refinement: { budgetSeconds: value } }),
      (value) => ({ refinement: { strategy: value } }),
      (value) => ({ refinement: { base: value } }),
      (value) => ({ backend: value }),
    ];
    fc.assert(
      fc.property(fc.constantFrom(...places), scalar, (place, value) =>
        agree({ version: 1, targets: [{ ...minimal, ...place(value) }] }),
      ),
      { numRuns: 1000 },
    );
  });
});
