import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { KymoError } from '../../../../src/core/errors';
import { loadConfig } from '../../../../src/measurement/config/loadConfig';
import { parseConfig } from '../../../../src/measurement/config/parseConfig';
import { file, minimal, withTarget } from './configText';

const failure = (text: string): KymoError => {
  try {
    parseConfig(text, file);
  } catch (error) {
    expect(error).toBeInstanceOf(KymoError);
    return error as KymoError;
  }
  throw new Error(`accepted: ${text}`);
};

describe('parseConfig', () => {
  it.each<[unknown, unknown]>([
    [{}, { memoryMegabytes: 128, full: 'stop' }],
    [
      { memory: 1, full: 'last', iterations: ' 10-12 ' },
      { memoryMegabytes: 1, full: 'last', iterations: { first: 10, last: 12 } },
    ],
    [{ iterations: '7' }, { memoryMegabytes: 128, full: 'stop', iterations: { first: 7, last: 7 } }],
  ])('reads what a trace is to have: %j', (trace, expected) => {
    expect(parseConfig(withTarget({ trace }), file).config.targets[0]?.trace).toEqual(expected);
  });

  it.each<[unknown, string]>([
    [{ memory: 0 }, '"memory" must be'],
    [{ memory: 2 ** 21 }, 'must be at most 1048576'],
    [{ full: 'never' }, '"full" must be "stop" or "last"'],
    [{ iterations: '12-10' }, '"iterations" must be a range of iterations such as "10-12"'],
    [{ iterations: '0-3' }, '"iterations" must be a range of iterations such as "10-12"'],
  ])('refuses a trace that cannot be: %j', (trace, message) => {
    expect(failure(withTarget({ trace })).message).toContain(message);
  });

  it('reads what a gate compares with, and its budgets', () => {
    const gate = {
      ...{ baseline: 'origin/main', filter: 'kymo.filter', repetitions: 5, changePercent: 2 },
      budgets: {
        seconds: 10,
        memoryMegabytes: 100,
        imbalancePercent: 5,
        overheadPercent: 2,
        growthPercent: 10,
        functions: { solve: { seconds: 2, changePercent: 1 } },
      },
    };
    const { config, warnings } = parseConfig(withTarget({ gate }), file);
    expect(warnings).toEqual([]);
    expect(config.targets[0]?.gate).toEqual({
      ...{ baseline: 'origin/main', filter: 'kymo.filter', repetitions: 5, minimumChange: 0.02 },
      budgets: {
        seconds: 10,
        figures: { memory: 1e8, imbalance: 0.05, overhead: 0.02, dynamics: 0.1 },
        functions: { solve: { seconds: 2, change: 0.01 } },
      },
    });
    expect(() => parseConfig(withTarget({ gate: { budgets: { seconds: 0 } } }), file)).toThrow(
      /"seconds" must be/,
    );
  });

  it('fills in the defaults', () => {
    const { config, warnings } = parseConfig(withTarget({}), file);
    expect(warnings).toEqual([]);
    expect(config).toEqual({
      file,
      workspace: '/home/ada/my program',
      targets: [
        {
          name: 'nbody',
          build: { command: 'make CC=${cc}', cwd: '.' },
          sources: [],
          executable: './nbody',
          run: {
            arguments: [],
            cwd: '.',
            environment: {},
            timeoutSeconds: 600,
            successStatuses: [0],
            launcher: { kind: 'local' },
          },
          parameters: {},
          repetitions: 3,
          pthreads: false,
          io: false,
          counters: false,
          gate: { repetitions: 10, minimumChange: 0.03, budgets: { figures: {}, functions: {} } },
          refinement: {
            strategy: 'hotspot',
            base: 'tor',
            mode: 'filter-and-expand',
            maximumIterations: 5,
            overheadPercent: 5,
            budgetSeconds: 600,
            imbalance: {
              metric: 'imbalance-percentage',
              imbalanceThreshold: 0.05,
              relevanceThreshold: 0.05,
              childRelevance: 'constant',
              childConstantThreshold: 10,
              childFraction: 0.001,
              context: 'major-paths',
              contextSteps: 2,
            },
            model: {
              extrapolate: {},
              keep: 'share',
              threshold: 0.02,
              growth: 'O(1)',
              constants: 'keep',
              aggregate: 'sum',
              statements: 10,
            },
          },
          expect: {},
          study: { parameters: {}, design: 'all', points: [] },
          backend: 'auto',
          scorep: { instrumenter: 'scorep', flags: [], filtering: 'hybrid', environment: {} },
        },
      ],
    });
  });

  it('a metric of imbalance brings its own threshold', () => {
    const thresholdOf = (imbalance: object): number | undefined =>
      parseConfig(withTarget({ refinement: { strategy: 'imbalance', imbalance } }), file).config.targets[0]
        ?.refinement.imbalance.imbalanceThreshold;
    expect(thresholdOf({ metric: 'efficiency' })).toBe(1.05);
    expect(thresholdOf({ metric: 'variation' })).toBe(0.05);
    expect(thresholdOf({ metric: 'efficiency', imbalanceThreshold: 1.3 })).toBe(1.3);
  });

  it('a rule of keeping by models brings its own threshold', () => {
    const modelOf = (model: object): object | undefined =>
      parseConfig(withTarget({ parameters: { n: [1] }, refinement: { strategy: 'model', model } }), file)
        .config.targets[0]?.refinement.model;
    expect(modelOf({ keep: 'seconds' })).toMatchObject({ threshold: 2.1 });
    expect(modelOf({ keep: 'seconds', threshold: 0.5 })).toMatchObject({ threshold: 0.5 });
    expect(modelOf({ keep: 'growth', growth: 'O(n)' })).toMatchObject({ threshold: 0.02, growth: 'O(n)' });
    const extrapolate = { n: 'geometric', ranks: 1024 };
    expect(modelOf({ extrapolate })).toMatchObject({ extrapolate });
  });

  it('reads the launchers of docs/launchers.md without a warning', () => {
    const text = readFileSync(path.resolve('docs/launchers.md'), 'utf8');
    const examples = [...text.matchAll(/```json\n([\s\S]*?)```/g)].map(([, json = '']) => json);
    expect(examples).toHaveLength(5);
    for (const example of examples) {
      const launcher = JSON.parse(example) as unknown;
      const { config, warnings } = parseConfig(withTarget({ run: { launcher } }), file);
      expect(warnings).toEqual([]);
      expect(config.targets[0]?.run.launcher).toMatchObject({ ranks: expect.any(Array) as unknown });
    }
  });

  it('reads the example of docs/INTERFACES.md, comments and all, without a warning', () => {
    const text = readFileSync(path.resolve('docs/INTERFACES.md'), 'utf8');
    const example = /```jsonc\n([\s\S]*?)```/.exec(text)?.[1] ?? '';
    const { config, warnings } = parseConfig(example, file);
    expect(warnings).toEqual([]);
    expect(config.targets[0]?.parameters).toEqual({ bodies: [1000, 2000, 4000, 8000, 16000] });
    expect(config.targets[0]?.phase).toBe('step');
  });

  it.each(
    readdirSync(path.resolve('examples')).filter((name) =>
      existsSync(path.resolve('examples', name, 'kymo.json')),
    ),
  )('reads examples/%s without a warning', async (name) => {
    const { warnings } = await loadConfig(path.resolve('examples', name));
    expect(warnings).toEqual([]);
  });

  it('accepts comments, trailing commas, CRLF and a byte order mark, and counts places right', () => {
    const text = `\uFEFF{\r\n  // a comment\r\n  "version": 1, /* ü */\r\n  "targets": 7,\r\n}`;
    expect(failure(text).where).toEqual({ file, line: 4, column: 14 });
  });

  it.each<[string, string, RegExp]>([
    ['not JSON', '{"version": 1,, }', /property name expected/],
    ['cut off', '{"version": 1', /close brace expected/],
    ['empty', '', /kymo init|value expected/],
    ['only a comment', '// nothing', /kymo init|value expected/],
    ['a list', '[]', /must be an object/],
    ['no version', '{"targets": []}', /needs the key "version"/],
    ['version as text', '{"version": "1", "targets": []}', /must be the number 1, found the string "1"/],
    ['newer version', '{"version": 2, "targets": []}', /newer Kymo/],
    ['no targets', '{"version": 1}', /needs the key "targets"/],
    ['empty targets', '{"version": 1, "targets": []}', /at least one target/],
    ['null target', '{"version": 1, "targets": [null]}', /must be an object .* found null/],
    ['name with a slash', withTarget({ name: '../up' }), /"name" must be/],
    ['name of dots', withTarget({ name: '..' }), /"name" must be/],
    ['no command', withTarget({ build: {} }), /"build" needs the key "command"/],
    [
      'a mistyped key that is needed',
      withTarget({ build: { comand: 'make CC=${cc}' } }),
      /"build" needs the key "command" and has "comand"; did you mean "command"\?/,
    ],
    [
      'a mistyped compiler',
      withTarget({ build: { command: 'make CC=${ccc}' } }),
      /"command" has \$\{ccc\}.*did you mean "\$\{cc\}"\?.*\$\$\{ccc\}/,
    ],
    [
      'an unknown name',
      withTarget({ build: { command: '${cc} a.c', configure: './configure ${kompiler}' } }),
      /"configure" has \$\{kompiler\}/,
    ],
    ['blank command', withTarget({ build: { command: ' ' } }), /must not be empty/],
    [
      'number as argument',
      withTarget({ run: { arguments: [5] } }),
      /each item of "arguments" must be a string, found the number 5/,
    ],
    ['argument as text', withTarget({ run: { arguments: '-n 5' } }), /must be a list of strings/],
    [
      'unknown parameter',
      withTarget({ run: { arguments: ['${bodie}'] }, parameters: { bodies: [1] } }),
      /did you mean "bodies"/,
    ],
    ['NUL', withTarget({ run: { arguments: ['a\0b'] } }), /NUL/],
    ['environment', withTarget({ run: { environment: { A: 1 } } }), /"A" must be a string/],
    ['environment name', withTarget({ run: { environment: { 'A=B': '' } } }), /environment variable/],
    ['exit status', withTarget({ run: { successStatuses: [0, 256] } }), /exit status \(0 to 255\)/],
    ['together', withTarget({ run: { together: 'yes' } }), /"together" must be true or false/],
    ['input', withTarget({ run: { input: 3 } }), /"input" must be a string/],
    ['negative time', withTarget({ run: { timeoutSeconds: -1 } }), /number above 0/],
    [
      'endless time',
      '{"version":1,"targets":[{"name":"a","build":{"command":"x"},"executable":"a","run":{"timeoutSeconds":1e999}}]}',
      /number above 0/,
    ],
    [
      'launcher kind',
      withTarget({ run: { launcher: { kind: 'mpiexec' } } }),
      /"local" or "mpirun" or "slurm" or "template"/,
    ],
    ['mpirun without ranks', withTarget({ run: { launcher: { kind: 'mpirun' } } }), /needs "ranks"/],
    [
      'template without a command',
      withTarget({ run: { launcher: { kind: 'template', ranks: 2 } } }),
      /needs the key "command"/,
    ],
    [
      'template without the program',
      withTarget({ run: { launcher: { kind: 'template', ranks: 2, command: ['bsub', '$${program}'] } } }),
      /with "\$\{program\}" for the program/,
    ],
    [
      'template with an unknown placeholder',
      withTarget({ run: { launcher: { kind: 'template', ranks: 2, command: ['${rank}', '${program}'] } } }),
      /\$\{rank\} is no parameter of this target; did you mean "ranks"/,
    ],
    [
      'files in a folder',
      withTarget({ run: { files: { '../a': 't' } } }),
      /"\.\.\/a" cannot be the name of a file/,
    ],
    ['a hidden file', withTarget({ run: { files: { '.a': 't' } } }), /cannot be the name of a file/],
    [
      'an unknown file',
      withTarget({ run: { files: { 'run.in': 't' }, arguments: ['${file:runin}'] } }),
      /\$\{file:runin\} is no parameter.*did you mean "file:run\.in"/,
    ],
    [
      'an unknown placeholder of the input',
      withTarget({ run: { input: '${m}' } }),
      /\$\{m\} is no parameter/,
    ],
    ['the folder of no files', withTarget({ run: { cwd: '${files}' } }), /"files" names none/],
    ['half ranks', withTarget({ run: { launcher: { kind: 'mpirun', ranks: [2, 2.5] } } }), /whole number/],
    ['no ranks', withTarget({ run: { launcher: { kind: 'mpirun', ranks: [] } } }), /empty list/],
    ['empty parameter', withTarget({ parameters: { n: [] } }), /at least one value/],
    ['parameter value', withTarget({ parameters: { n: [true] } }), /number or a string, found true/],
    ['parameter name', withTarget({ parameters: { 'a.b': [1] } }), /cannot be the name/],
    ['parameter ranks', withTarget({ parameters: { ranks: [1] } }), /another name/],
    ['repetitions', withTarget({ repetitions: 0 }), /at least 1/],
    ['strategy', withTarget({ refinement: { strategy: 'hotspots' } }), /did you mean "hotspot"/],
    [
      'metric of imbalance',
      withTarget({ refinement: { imbalance: { metric: 'Efficiency' } } }),
      /"metric" must be "imbalance-percentage" or .* did you mean "efficiency"/,
    ],
    [
      'extrapolated parameter',
      withTarget({ parameters: { size: [1] }, refinement: { model: { extrapolate: { sizes: 'linear' } } } }),
      /"sizes" is no parameter of this target.* "size"/,
    ],
    [
      'extrapolation',
      withTarget({ refinement: { model: { extrapolate: { ranks: 'double' } } } }),
      /"ranks" must be "linear", "geometric" or a number above 0, found the string "double"/,
    ],
    ['backend', withTarget({ backend: null }), /found null/],
    [
      'two of a name',
      JSON.stringify({ version: 1, targets: [minimal, { ...minimal, name: 'NBody' }] }),
      /two targets/,
    ],
  ])('refuses what is wrong: %s', (_, text, message) => {
    const error = failure(text);
    expect(error.reason).toBe('config-invalid');
    expect(error.message).toMatch(message);
    expect(error.where.line).toBeGreaterThan(0);
    expect(error.where.column).toBeGreaterThan(0);
    expect(error.message).toContain(`${file}:`);
  });

  it.each<[string, object, RegExp]>([
    ['unknown key', { repetition: 3 }, /no key "repetition"; did you mean "repetitions"\?/],
    ['unknown key, nothing near', { zzz: 3 }, /no key "zzz"\./],
    ['a beginning', { refinement: { overhead: 3 } }, /no key "overhead"; did you mean "overheadPercent"\?/],
    ['what other tools call so', { run: { stdin: 'a.in' } }, /no key "stdin"; did you mean "input"\?/],
    ['a swap', { biuld: {} }, /did you mean "build"/],
    ['nested', { run: { timeoutseconds: 3 } }, /"run" has no key .* "timeoutSeconds"/],
    ['r…', { parameters: { resolution: [1] } }, /begins with "r"/],
    ['digits', { parameters: { n2: [1] } }, /digit/],
    ['outside', { executable: '../other/a' }, /is outside of the workspace: \/home\/ada\/other\/a/],
    ['outside', { build: { command: '${cc}', cwd: '/tmp' } }, /outside of the workspace/],
    ['ranks of local', { run: { launcher: { kind: 'local', ranks: 4 } } }, /"ranks" has no effect/],
    [
      'command of mpirun',
      { run: { launcher: { kind: 'mpirun', ranks: 4, command: ['x'] } } },
      /"command" has no effect on the launcher "mpirun"; use "template"/,
    ],
    [
      'arguments of a template',
      { run: { launcher: { kind: 'template', ranks: 4, command: ['x', '${program}'], arguments: ['y'] } } },
      /"arguments" has no effect on the launcher "template"; use "mpirun" or "slurm"/,
    ],
    ['plain compilers', { build: { command: 'make' } }, /none of \$\{cc\}/],
  ])('warns: %s', (_, more, message) => {
    const { warnings } = parseConfig(withTarget(more), file);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]?.message).toMatch(message);
    expect(warnings[0]).toMatchObject({ file, line: 1 });
  });

  it('warns at the second of two equal keys, and the last one counts', () => {
    const { config, warnings } = parseConfig(
      withTarget({}).replace('"name"', '"repetitions": 1, "repetitions": 2, "name"'),
      file,
    );
    expect(warnings.map((item) => item.message)).toEqual([expect.stringContaining('twice')]);
    expect(config.targets[0]?.repetitions).toBe(2);
  });

  it('takes hostile keys as names like any other', () => {
    const { config } = parseConfig(
      withTarget({}).replace('"name"', '"parameters": {"__proto__": [1], "constructor": [2]}, "name"'),
      file,
    );
    expect(Object.entries(config.targets[0]?.parameters ?? {})).toEqual([
      ['__proto__', [1]],
      ['constructor', [2]],
    ]);
    expect(({} as Record<string, unknown>)['1']).toBeUndefined();
  });

  it('reads growths with the names that models will have, and refuses others at their place', () => {
    const expecting = (growth: string): string =>
      withTarget({ parameters: { n: [1] }, expect: { 'f(int)': growth } });
    expect(parseConfig(expecting('O(n log p + t)'), file).config.targets[0]?.expect).toEqual({
      'f(int)': 'O(n log p + t)',
    });
    const text = expecting('O(m)');
    const { reason, message, where } = failure(text);
    expect(reason).toBe('config-invalid');
    expect(message).toContain('“O(m)” is no growth: the parameters n, p, t');
    expect(where.column).toBe(text.indexOf('"O(m)"') + 1);
  });

  it('refuses very deep nesting with a message', () => {
    expect(failure('['.repeat(200_000)).reason).toBe('config-invalid');
  });

  it('ends any text in a configuration or a KymoError whose place is in the text', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.json(), almostJson()), (text) => {
        try {
          parseConfig(text, file);
        } catch (error) {
          expect(error).toBeInstanceOf(KymoError);
          const { line = 0, column = 0 } = (error as KymoError).where;
          const lines = text.split('\n');
          expect(line).toBeGreaterThanOrEqual(1);
          expect(line).toBeLessThanOrEqual(lines.length);
          expect(column).toBeLessThanOrEqual((lines[line - 1] ?? '').length + 1);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('names the place of the wrong value, wherever blanks and lines put it', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(' ', '\n', '\r\n', '\t', '/*x*/', '// y\n')), (blanks) => {
        const before = `{"version": 1, "targets": [{"name": "a", "build": {"command": "x"}, "executable": "a",${blanks.join('')} "repetitions": `;
        const { where } = failure(`${before}"three" }]}`);
        const lines = before.split('\n');
        expect(where).toMatchObject({ line: lines.length, column: (lines.at(-1) ?? '').length + 1 });
      }),
    );
  });
});

/** Text of a valid file with one piece cut out or put in. */
function almostJson(): fc.Arbitrary<string> {
  return fc
    .record({
      at: fc.nat(300),
      cut: fc.nat(20),
      put: fc.constantFrom('', '{', '}', '[', ',', '"', '\\', 'null', '-', '1e9', '/*'),
    })
    .map(({ at, cut, put }) => {
      const text = withTarget({
        parameters: { n: [1, 'x'] },
        run: { arguments: ['${n}'], launcher: { kind: 'mpirun', ranks: 2 } },
      });
      return text.slice(0, at) + put + text.slice(at + cut);
    });
}
