import { readFileSync } from 'node:fs';
import path from 'node:path';
import Ajv from 'ajv';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { GateEntry } from '../../../../src/core/gate/gate';
import type { GateReport } from '../../../../src/core/gate/report';
import type { Verdict } from '../../../../src/core/gate/verdict';
import { entrySentence } from '../../../../src/core/gate/words';
import { gateEndings, gateText } from '../../../../src/formats/gate-exports';

/** Draft 4 has its identity under other names; nothing else that it uses changed. */
const schema = JSON.parse(
  readFileSync(path.resolve('test/fixtures/sarif/sarif-2.1.0.json'), 'utf8').replace(
    /"(\$schema|id)": "http[^"]*",/g,
    '',
  ),
) as object;
const isSarif = new Ajv({ strict: false, validateFormats: false, unicodeRegExp: false }).compile(schema);

interface Sarif {
  readonly runs: readonly {
    readonly results: readonly {
      readonly ruleId: string;
      readonly level: string;
      readonly partialFingerprints: Readonly<Record<string, string>>;
      readonly message: { readonly text: string };
      readonly locations?: readonly {
        readonly physicalLocation: {
          readonly artifactLocation: { readonly uri: string };
          readonly region?: { readonly startLine: number };
        };
      }[];
    }[];
  }[];
}

function entry(verdict: Verdict, more: Partial<GateEntry> = {}): GateReport['entries'][number] {
  const own: GateEntry = {
    ...{ criterion: 'time', verdict, ratio: 1.18, matters: 1.03, interval: [1.1, 1.26] },
    ...{
      name: 'solve',
      place: { name: 'solve', file: '/w/src/a b.c', line: 12 },
      values: [1, 1.18],
      unit: 'sec',
      share: 0.3,
    },
    ...more,
  };
  return { ...own, sentence: entrySentence(own) };
}

function report(entries: GateReport['entries'], more: Partial<GateReport> = {}): GateReport {
  return {
    ...{ target: 'nbody', verdict: 'regression', sentence: 'Regression: 1 criterion is worse.' },
    sides: [
      { name: 'main', input: '/w/b', runs: 10 },
      { name: 'the workspace', input: '/w/c', runs: 10 },
    ],
    ...{ byTurns: true, entries, incomparable: [], allowable: [], notes: [] },
    ...more,
  };
}

const written = (name: string, own: GateReport): string => gateText(own, name, '/w') ?? '';
const sarif = (own: GateReport): Sarif => {
  const document: unknown = JSON.parse(written('v.sarif', own));
  expect(isSarif(document), JSON.stringify(isSarif.errors)).toBe(true);
  return document as Sarif;
};
const all = report([
  entry('regression'),
  entry('regression', { criterion: 'budget', name: 'norm' }),
  entry('cannot-tell', { name: 'open' }),
  entry('cannot-tell', { name: 'better', interval: [0.8, 1.01] }),
  entry('improvement', { name: 'faster', ratio: 0.8 }),
  entry('no-change', { name: 'same' }),
]);

describe('the verdict of a gate as a file', () => {
  it('has the format of its ending; an unknown one has none', () => {
    for (const ending of gateEndings) expect(written(`v${ending.toUpperCase()}`, all)).not.toBe('');
    expect(gateText(all, 'v.html', '/w')).toBeUndefined();
    expect(JSON.parse(written('v.json', all))).toEqual(all);
  });

  it('SARIF has regressions and exceeded budgets as errors at their lines, and not what did not change', () => {
    const results = sarif(all).runs[0]?.results ?? [];
    expect(results.map(({ ruleId, level }) => [ruleId, level])).toEqual([
      ['regression', 'error'],
      ['over-budget', 'error'],
      ['cannot-tell', 'warning'],
      ['faster', 'note'],
    ]);
    expect(results[0]?.locations?.[0]?.physicalLocation).toEqual({
      artifactLocation: { uri: 'src/a%20b.c', uriBaseId: 'SRCROOT' },
      region: { startLine: 12 },
    });
    expect(results[0]?.partialFingerprints['kymoProperty/v1']).toBe('regression:time:solve@src/a b.c');
    expect(results[0]?.message.text).toMatch(/^solve takes longer itself: 1 s → 1\.18 s, \+18\.0 %/);
  });

  it('is never empty where nothing could be compared', () => {
    const refused = report([], {
      verdict: 'cannot-tell',
      sentence: 'Cannot tell: …',
      incomparable: ['Another host.'],
      allowable: ['machine'],
    });
    expect(sarif(refused).runs[0]?.results).toMatchObject([
      { ruleId: 'cannot-tell', message: { text: expect.stringContaining('Another host.') as string } },
    ]);
    expect(written('v.xml', refused)).toContain('errors="1"');
    expect(written('v.md', refused)).toMatch(/- Another host\.\n\nIf .*: --allow machine$/m);
  });

  it('JUnit counts failures, and as errors what may be worse', () => {
    const text = written('v.xml', all);
    expect(text).toContain('tests="6" failures="2" errors="1"');
    expect(text).toContain('file="src/a b.c" line="12"');
    expect(text).toMatch(/name="open"[^]*<error message="open: cannot tell: .* would not tell/);
    expect(text).toMatch(/name="better"[^]*<system-out>better: not worse: [^;]*<\/system-out>/);
  });

  it('Markdown has a row for each change, and a number for the rest', () => {
    const lines = written('v.md', all).split('\n');
    expect(lines.filter((line) => line.startsWith('| ')).length).toBe(2 + 5);
    expect(lines).toContain('1 criterion did not change.');
    expect(
      lines
        .map((line) => line.split(' | ').slice(0, 2))
        .filter(([, what]) => what === 'open' || what === 'better'),
    ).toEqual([
      ['| cannot tell', 'open'],
      ['| not worse', 'better'],
    ]);
    expect(lines.some((line) => line.includes('+18.0 %') && line.includes('src/a b.c:12'))).toBe(true);
  });

  it('keeps hostile names where they are', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (name, file) => {
        const hostile = report(
          [entry('regression', { name, place: { name, file: `/w/${file}`, line: 1 } })],
          { target: name },
        );
        expect(sarif(hostile).runs[0]?.results).toHaveLength(1);
        const xml = written('v.xml', hostile);
        expect(xml.match(/<testcase /g)).toHaveLength(1);
        expect(xml.match(/<failure /g)).toHaveLength(1);
        // oxlint-disable-next-line no-control-regex -- XML 1.0 forbids them
        expect(xml).not.toMatch(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/);
        const table = written('v.md', hostile)
          .split('\n')
          .filter((line) => line.startsWith('| regression'));
        expect(table).toHaveLength(1);
      }),
      { numRuns: 300 },
    );
  });
});
