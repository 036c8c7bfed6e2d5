import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Region } from '../../../../src/core/profile/profile';
import { readCube } from '../../../../src/formats/cube4/read';
import { decide } from '../../../../src/formats/scorep-filter/effects/decide';
import { parseFilter } from '../../../../src/formats/scorep-filter/syntax/parse';
import { sharedData } from '../../../shared';

/** Functions in a profile that a real Score-P has measured. */
function functionsOf(profile: string): readonly Region[] {
  return readCube(readFileSync(profile), profile).regions.filter(({ paradigm }) => paradigm === 'compiler');
}
const text = (file: string): string => readFileSync(file, 'utf8');

const lulesh = sharedData('scorep/lulesh-serial/lulesh.s10.r1/profile.cubex');
const everything = sharedData('scorep/lulesh-serial-unfiltered/lulesh.s10.unfiltered/profile.cubex');
const milc = sharedData('scorep/milc/milc.serial.8888.ic/profile.cubex');
const filters = sharedData('scorep/filters');

describe('filters with which real programs were built', () => {
  it.skipIf(lulesh === undefined).each([
    ['lulesh-ic.filter', lulesh, 30],
    ['milc-ic.filter', milc, 20],
  ])('%s: what was measured is in', (name, profile, atLeast) => {
    const filter = parseFilter(text(`${filters!}/${name}`), name);
    const functions = functionsOf(profile!);
    expect(functions.length).toBeGreaterThanOrEqual(atLeast);
    const out = functions.filter((f) => !decide(filter, f, 'compile-time').instrumented);
    expect(out.map((f) => f.name)).toEqual([]);
  });

  it.skipIf(lulesh === undefined)('and what is in was measured', () => {
    const filter = parseFilter(text(`${filters!}/lulesh-ic.filter`), 'f');
    const measured = new Set(functionsOf(lulesh!).map((f) => f.mangledName));
    const wanted = functionsOf(everything!).filter((f) => decide(filter, f, 'compile-time').instrumented);
    // The others are declared inline, so the compiler left them out where no filter named them.
    expect(wanted).toHaveLength(3);
    expect(wanted.filter((f) => !measured.has(f.mangledName))).toEqual([]);
  });
});
