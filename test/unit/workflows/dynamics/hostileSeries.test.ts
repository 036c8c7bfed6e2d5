import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { KymoError } from '../../../../src/core/errors';
import { dynamicsDocument } from '../../../../src/formats/dynamics-report/document';
import { runDynamics } from '../../../../src/workflows/dynamics';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'kymo series '));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Line {
  readonly region: string;
  readonly rank?: number;
  readonly values: readonly (number | null)[];
}

const many = (length: number, value: (i: number) => number | null): (number | null)[] =>
  Array.from({ length }, (_, i) => value(i));
const phase = (length: number, value = 1): Line => ({ region: '<phase>', values: many(length, () => value) });

async function documentOf(lines: readonly Line[]): Promise<Record<string, unknown>> {
  const file = path.join(folder, 'run.ndjson');
  const header = { kymoSeries: 1, unit: 's', phase: 'step' };
  writeFileSync(file, [header, ...lines].map((line) => `${JSON.stringify(line)}\n`).join(''));
  const run = await runDynamics({ inputs: [file], options: { all: true } }, { workspace: folder });
  return JSON.parse(JSON.stringify(dynamicsDocument(run.result, run.log))) as Record<string, unknown>;
}

/** Every [first, last] of a document. */
function* rangesIn(value: unknown): Generator<readonly [number, number]> {
  if (typeof value !== 'object' || value === null) return;
  if ('from' in value && 'to' in value && typeof value.from === 'number' && typeof value.to === 'number')
    yield [value.from, value.to];
  for (const inner of Object.values(value)) yield* rangesIn(inner);
}

const rise = (i: number): number => 0.2 + i / 256;
const inputs: readonly (readonly [name: string, iterations: number, lines: readonly Line[]])[] = [
  ['all zero', 128, [phase(128, 0), { region: 'f', values: many(128, () => 0) }]],
  ['one iteration', 1, [phase(1), { region: 'f', values: [0.5] }]],
  ['two iterations', 2, [phase(2), { region: 'f', values: [0.1, 0.9] }]],
  ['negative values', 128, [phase(128), { region: 'f', values: many(128, (i) => -i) }]],
  ['1e300', 128, [phase(128, 1e300), { region: 'f', values: many(128, (i) => 1e300 * rise(i)) }]],
  ['nothing but gaps', 128, [phase(128), { region: 'f', values: many(128, () => null) }]],
  ['gaps', 128, [phase(128), { region: 'f', values: many(128, (i) => (i % 3 === 0 ? null : rise(i))) }]],
  [
    'different lengths',
    200,
    [phase(128), { region: 'f', values: many(50, rise) }, { region: 'g', rank: 1, values: many(200, rise) }],
  ],
  [
    'iterations of zero time',
    128,
    [
      { region: '<phase>', values: many(128, (i) => i % 2) },
      { region: 'f', values: many(128, (i) => (i % 2) * rise(i)) },
    ],
  ],
  ['no phase', 128, [{ region: 'f', values: many(128, rise) }]],
  [
    'names of objects and of terminals',
    128,
    [
      phase(128),
      { region: '__proto__', values: many(128, rise) },
      { region: 'constructor', values: many(128, rise) },
      { region: '\u001b[31m<img src=x>\n\u202e', values: many(128, rise) },
    ],
  ],
];

describe('series files that are odd', () => {
  it.each(inputs)('robustness: %s gives a whole report, iterations from 1', async (_, iterations, lines) => {
    const document = await documentOf(lines);
    for (const [first, last] of rangesIn(document)) {
      expect(first).toBeGreaterThanOrEqual(1);
      expect(last).toBeGreaterThanOrEqual(first);
      expect(last).toBeLessThanOrEqual(iterations);
    }
    expect(Array.isArray(document.series)).toBe(true);
    expect((document.series as unknown[]).length).toBeGreaterThan(0);
  });

  it('robustness: a file of a billion iterations in ten bytes is refused, and so is one without any', async () => {
    const file = path.join(folder, 'odd.csv');
    writeFileSync(file, 'iteration,f\n1,1\n1000000000,2\n');
    await expect(runDynamics({ inputs: [file] }, { workspace: folder })).rejects.toBeInstanceOf(KymoError);
    await expect(documentOf([])).rejects.toMatchObject({ reason: 'no-iterations' });
  });
});
