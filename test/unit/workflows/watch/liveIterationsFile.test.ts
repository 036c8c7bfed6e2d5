import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { bytesSource } from '../../../../src/formats/byteSource';
import type { IterationSample } from '../../../../src/formats/kymo-iterations/iterationsFile';
import { openIterations } from '../../../../src/formats/kymo-iterations/read';
import { LiveIterationsFile } from '../../../../src/workflows/watch/liveIterationsFile';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'kymo-live-iterations-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const directory = {
  phase: 'step',
  regions: [{ name: 'step', kind: 'phase' as const }],
  locations: [{ rank: 0, thread: 0 }],
  contexts: [{ region: 0, location: 0 }],
  notes: [],
};

const samples = (count: number, first: number): IterationSample[] =>
  Array.from({ length: count }, (_, i) => ({
    ...{ count: 1, contexts: Uint32Array.of(0), visits: Float64Array.of(1) },
    ...{ seconds: Float64Array.of((first + i) / 1000), childEvents: Float64Array.of(0) },
  }));

function shown(): readonly number[] {
  const file = path.join(folder, 'iterations.kymo');
  const opened = openIterations(bytesSource(readFileSync(file)), file);
  const values: number[] = [];
  // The arrays are used again for the next one.
  for (const { seconds } of opened.samples()) values.push(Math.round(1000 * (seconds[0] ?? 0)));
  return values;
}

it('the iterations of a run that goes on are a whole file each time, the earlier ones with it', () => {
  const file = new LiveIterationsFile(folder);
  file.add(samples(3, 1));
  file.write(directory);
  expect(shown()).toEqual([1, 2, 3]);
  file.add(samples(70_000, 4));
  expect(shown()).toEqual([1, 2, 3]);
  file.write(directory);
  expect(shown()).toEqual(Array.from({ length: 70_003 }, (_, i) => i + 1));
  expect([file.count, file.written]).toEqual([70_003, 70_003]);
  file.close();
  // What they were kept in is gone, and the file stays.
  expect(readdirSync(folder)).toEqual(['iterations.kymo']);
});

it('they are written again when there are 15 % more', () => {
  const file = new LiveIterationsFile(folder);
  expect(file.isDue).toBe(false);
  const written: number[] = [];
  for (let count = 1; count <= 200; count++) {
    file.add(samples(1, count));
    if (!file.isDue) continue;
    file.write(directory);
    written.push(count);
  }
  file.close();
  expect(written).toEqual(expect.arrayContaining([1, 2, 3]));
  for (const [i, count] of written.entries())
    if (i > 0) expect(count).toBe(Math.floor((written[i - 1] ?? 0) * 1.15) + 1);
});
