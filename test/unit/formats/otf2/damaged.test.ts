import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { isKymoError } from '../../../../src/core/errors';
import { openOtf2, type Otf2Archive } from '../../../../src/formats/otf2/open';
import { MemoryArchive, plainEvents, rewritten } from './memoryArchive';

const folder = path.resolve(import.meta.dirname, '../../../fixtures/otf2/every');
const every = new MemoryArchive(
  new Map(
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => statSync(path.join(folder, file)).isFile())
      .map((file) => [file, new Uint8Array(readFileSync(path.join(folder, file)))]),
  ),
);
const whole = openOtf2(every, 'every.otf2');
const big = rewritten(whole, 'every', { bigEndian: true });

/** Everything that can be read; undefined where the archive is refused. Errors other than Kymo's pass. */
function everythingOf(memory: MemoryArchive): { archive: Otf2Archive; events: unknown[][] } | undefined {
  let archive: Otf2Archive;
  try {
    archive = openOtf2(memory, 'every.otf2');
  } catch (error) {
    if (!isKymoError(error)) throw error;
    expect(error.message).toContain('every');
    return undefined;
  }
  // Damaged definitions may have any number of locations of any name.
  const events = archive.definitions.locations.map((location) =>
    plainEvents(archive, location, { capacity: 64 }),
  );
  return { archive, events };
}

/** Numbers that look random, the same in each run. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

describe('an archive that was cut off', () => {
  const complete = everythingOf(every)!;

  it.each([...every.contents.keys()])('at any byte of %s is refused, or read up to there', (file) => {
    const bytes = every.contents.get(file)!;
    for (let length = 0; length < bytes.length; length++) {
      const read = everythingOf(every.with(file, bytes.subarray(0, length)));
      if (file.endsWith('.otf2')) {
        // What follows the last field are marks that say nothing.
        if (length < bytes.length - 3) expect(read).toBeUndefined();
        continue;
      }
      expect(read).toBeDefined();
      if (file.endsWith('.evt')) {
        const at = whole.definitions.locations.findIndex(({ id }) => file === `every/${id}.evt`);
        const all = complete.events[at]!;
        const some = read!.events[at]!;
        expect(some).toEqual(all.slice(0, some.length));
        expect(some.length).toBeGreaterThanOrEqual(
          Math.floor((length / bytes.length) * all.length * 0.5) - 10,
        );
        // A file without its end mark may have all events.
        expect(length).toBeLessThan(bytes.length);
        expect(read!.archive.notes().map(({ reason }) => reason)).toContain('truncated');
      } else if (file === 'every.def')
        expect(read!.archive.notes().map(({ reason }) => reason)).toContain('truncated');
    }
  });
});

describe('damaged archives', () => {
  it.each([
    ['little', every],
    ['big', big],
  ] as const)('are read or refused, and never crash: %s endian', (_, archive) => {
    const random = numbers(archive === every ? 1 : 2);
    const files = [...archive.contents.keys()];
    const reasons = new Set<string>();
    let refused = 0;
    for (let round = 0; round < 1500; round++) {
      const file = files[random(files.length)]!;
      const bytes = Uint8Array.from(archive.contents.get(file)!);
      for (let changes = 1 + random(4); changes > 0; changes--)
        bytes[random(bytes.length)] = [random(256), 0, 255, 1 << random(8)][random(4)]!;
      const read = everythingOf(archive.with(file, bytes));
      if (read === undefined) refused++;
      else for (const { reason } of read.archive.notes()) reasons.add(reason);
    }
    expect(refused).toBeGreaterThan(20);
    expect(refused).toBeLessThan(500);
    expect([...reasons].sort()).toEqual(
      expect.arrayContaining(['count', 'damaged', 'times-backwards', 'truncated', 'unknown-records']),
    );
  });
});
