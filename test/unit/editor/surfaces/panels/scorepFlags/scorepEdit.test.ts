import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ScorepTargetSettings } from '../../../../../../src/core/scorepOptions/option';
import { scorepEdit } from '../../../../../../src/editor/surfaces/panels/scorepFlags/scorepEdit';
import { parseConfig } from '../../../../../../src/measurement/config/parseConfig';

const text = `{
  // Of the whole workspace.
  "version": 1,
  "targets": [
    {
      "name": "first",
      "build": { "command": "make CC=\${cc}" }, // as the Makefile wants it
      "executable": "./a"
    },
    {
      "name": "second",
      "build": { "command": "make CC=\${cc}" },
      "executable": "./b",
      "scorep": {
        // Nobody looks at memory.
        "flags": ["--nomemory"],
        "environment": {
          "SCOREP_METRIC_RUSAGE": "all", // expensive
          "SCOREP_VERBOSE": "true"
        }
      }
    },
  ]
}
`;

function apply(target: string, settings: ScorepTargetSettings, backend?: 'scorep', of = text): string {
  const change = scorepEdit(of, target, settings, backend);
  if (change === undefined) throw new Error('no target');
  const { offset, length, content } = change;
  return of.slice(0, offset) + content + of.slice(offset + length);
}

const plain: ScorepTargetSettings = { flags: [], filtering: 'hybrid', environment: {} };

describe('settings of Score-P in kymo.json', () => {
  it('are added where there are none, in the style of the file', () => {
    const settings = { ...plain, flags: ['--user'], environment: { SCOREP_TIMER: 'gettimeofday' } };
    const after = apply('first', settings, 'scorep');
    expect(after).toContain(`"executable": "./a",
      "backend": "scorep",
      "scorep": {
        "flags": [
          "--user"
        ],
        "environment": {
          "SCOREP_TIMER": "gettimeofday"
        }
      }
    },`);
    expect(after).toContain('// as the Makefile wants it');
    expect(after.endsWith(text.slice(text.indexOf('"name": "second"')))).toBe(true);
  });

  it('leave alone what is as wanted, with its comments', () => {
    const settings = {
      flags: ['--nomemory'],
      filtering: 'run-time',
      environment: { SCOREP_METRIC_RUSAGE: 'all', SCOREP_TIMER: 'tsc' },
    };
    const after = apply('second', settings);
    for (const kept of [
      '// Nobody looks at memory.',
      '"flags": ["--nomemory"],',
      '"SCOREP_METRIC_RUSAGE": "all"',
    ])
      expect(after).toContain(kept);
    expect(after).toContain('"filtering": "run-time"');
    expect(after).toContain('"SCOREP_TIMER": "tsc"');
    expect(after).not.toContain('SCOREP_VERBOSE');
  });

  it('keep remarks at their lines, and lines as they are laid out', () => {
    const of = `{ "version": 1, "targets": [
  { "name": "a", "build": { "command": "x" },
    "run": { "arguments": ["1"], "timeoutSeconds": 60 }, "executable": "./a" // made by make
  },
  { "name": "b", "build": { "command": "x" }, "executable": "./b", "scorep": {"environment": {"A": "1"}} }
]}`;
    expect(apply('a', { ...plain, flags: ['--user', '--nomemory'] }, undefined, of)).toBe(
      of.replace(
        '"executable": "./a" // made by make',
        `"executable": "./a", // made by make
    "scorep": {
      "flags": [
        "--user",
        "--nomemory"
      ]
    }`,
      ),
    );
    expect(apply('b', { ...plain, flags: ['--user'], environment: { A: '1', B: '2' } }, 'scorep', of)).toBe(
      of.replace(
        '{"environment": {"A": "1"}} }',
        '{"environment": {"A": "1", "B": "2"}, "flags": ["--user"]}, "backend": "scorep" }',
      ),
    );
  });

  it('that say nothing any more are taken out', () => {
    expect(apply('second', plain)).not.toContain('scorep');
  });

  it('change nothing when nothing is to change', () => {
    const same = {
      ...plain,
      flags: ['--nomemory'],
      environment: { SCOREP_METRIC_RUSAGE: 'all', SCOREP_VERBOSE: 'true' },
    };
    expect(scorepEdit(text, 'second', same)).toMatchObject({ length: 0, content: '' });
  });

  it('need their target', () => {
    expect(scorepEdit(text, 'third', plain)).toBeUndefined();
    expect(scorepEdit('{ "targets": 3', 'third', plain)).toBeUndefined();
    expect(scorepEdit('', 'third', plain)).toBeUndefined();
  });

  it('are read again as they were written, with any line ends', () => {
    const name = fc.stringMatching(/^[A-Z_]{1,12}$/);
    const settings = fc.record({
      flags: fc.array(fc.string()),
      filtering: fc.constantFrom('hybrid', 'compile-time', 'run-time'),
      environment: fc.dictionary(name, fc.string(), { noNullPrototype: true }),
    });
    fc.assert(
      fc.property(settings, fc.constantFrom('first', 'second'), fc.boolean(), (wanted, target, crlf) => {
        const of = crlf ? text.replaceAll('\n', '\r\n') : text;
        const after = apply(target, wanted, 'scorep', of);
        if (crlf) expect(after.replaceAll('\r\n', '')).not.toContain('\n');
        const { config } = parseConfig(after, '/w/kymo.json');
        const found = config.targets.find((one) => one.name === target);
        expect(found?.backend).toBe('scorep');
        const { flags, filtering, environment } = found?.scorep ?? plain;
        expect({ flags, filtering, environment }).toEqual(wanted);
      }),
      { numRuns: 60 },
    );
  });
});
