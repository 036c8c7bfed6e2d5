import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { KymoError } from '../../../../src/core/errors';
import { inclusive } from '../../../../src/core/profile/values';
import { readCube } from '../../../../src/formats/cube4/read';
import { mutant, specimen } from './mutations';

const folder = path.resolve(import.meta.dirname, '../../../fixtures/cube4');
const specimens = ['tiny.cubex', 'lulesh-mpi.cubex'].map((name) =>
  specimen(name, new Uint8Array(readFileSync(path.join(folder, name)))),
);

// The same as `npm run fuzz:cube` does 100,000 times.
test('changed real files are read or refused with a reason', () => {
  let read = 0;
  const reasons = new Set<string>();
  for (let seed = 0; seed < 2000; seed++) {
    const { kind, bytes } = mutant(specimens, seed);
    try {
      const profile = readCube(bytes, 'changed.cubex');
      for (const { name, stored } of profile.metrics) if (stored !== 'derived') inclusive(profile, name);
      read++;
    } catch (error) {
      if (!(error instanceof KymoError)) throw new Error(`seed ${seed} (${kind})`, { cause: error });
      expect(error.message).toContain('changed.cubex');
      expect(error.message.length).toBeLessThan(1000);
      reasons.add(String(error.reason));
    }
  }
  expect(read).toBeGreaterThan(200);
  expect([...reasons]).toEqual(expect.arrayContaining(['cube-damaged', 'not-a-cube']));
});
