import { describe, expect, it } from 'vitest';
import type { Property } from '../../../../src/core/properties/property';
import { propertiesText, propertyEndings } from '../../../../src/formats/property-exports';

const properties: readonly Property[] = [
  {
    id: 'hot-spot:sweep',
    kind: 'hot-spot',
    title: 'sweep, "the" | <b>loop</b>\ntakes 96 %',
    severity: 0.96,
    confidence: 1,
    region: { name: 'sweep', file: '/w/größe und zahl/main.cpp', line: 12 },
    evidence: { exclusiveShare: 0.96, visits: 2000 },
  },
  {
    id: 'excessive-overhead:run',
    kind: 'excessive-overhead',
    title: 'too much',
    severity: 1.5,
    confidence: 0.5,
    evidence: {},
  },
];

const written = (file: string): string => propertiesText(properties, file, '/w') ?? '';

describe('exports of properties', () => {
  it('are chosen by the ending; an unknown one gives nothing', () => {
    for (const ending of propertyEndings) expect(written(`/tmp/P${ending.toUpperCase()}`)).not.toBe('');
    expect(propertiesText(properties, '/tmp/p.xlsx', '/w')).toBeUndefined();
  });

  it('JSON is the shape of `kymo properties --json`', () => {
    expect(JSON.parse(written('p.json'))).toEqual({ properties });
  });

  it('CSV quotes what needs it', () => {
    const [header, first] = written('p.csv').split('\r\n');
    expect(header).toBe('severity,confidence,kind,title,region,place,evidence,id,refines');
    expect(first).toContain('"sweep, ""the"" | <b>loop</b>\ntakes 96 %"');
    expect(first).toContain('größe und zahl/main.cpp:12');
  });

  it('Markdown keeps one row per property whatever the names are', () => {
    const lines = written('p.md').trim().split('\n');
    expect(lines).toHaveLength(6);
    expect(lines[4]).not.toContain('<b>');
    expect(lines[4]).toContain('\\|');
  });

  it('SARIF 2.1.0 has rules, results, places relative to the workspace, and ranks from 0 to 100', () => {
    const sarif = JSON.parse(written('p.sarif')) as {
      readonly version: string;
      readonly runs: readonly {
        readonly tool: { readonly driver: { readonly rules: readonly { readonly id: string }[] } };
        readonly results: readonly {
          readonly ruleId: string;
          readonly rank: number;
          readonly locations?: readonly unknown[];
        }[];
      }[];
    };
    expect(sarif.version).toBe('2.1.0');
    const [run] = sarif.runs;
    expect(run?.tool.driver.rules.map(({ id }) => id)).toEqual(['hot-spot', 'excessive-overhead']);
    expect(run?.results.map(({ rank }) => rank)).toEqual([96, 100]);
    expect(run?.results[0]?.locations).toEqual([
      {
        physicalLocation: {
          artifactLocation: { uri: 'gr%C3%B6%C3%9Fe%20und%20zahl/main.cpp', uriBaseId: 'SRCROOT' },
          region: { startLine: 12 },
        },
        logicalLocations: [{ name: 'sweep', kind: 'function' }],
      },
    ]);
    expect(run?.results[1]?.locations).toBeUndefined();
  });
});
