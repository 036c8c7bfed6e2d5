import { readFile } from 'node:fs/promises';
import type { Unit } from '../../core/source/unit';
import { fragmentFile } from '../wrappers/fragments';

/** How many fragments are read at a time. */
const atOnce = 32;

/**
 * The fragments of the units that are linked into a program, in the order of the hashes. Fragments that are missing or damaged
 * are left out: the site map says which functions they would have described.
 */
export async function readUnits(store: string, hashes: Iterable<string>): Promise<readonly Unit[]> {
  const wanted = [...new Set(hashes)].sort();
  const units: Unit[] = [];
  for (let first = 0; first < wanted.length; first += atOnce) {
    const some = await Promise.all(wanted.slice(first, first + atOnce).map((hash) => readUnit(store, hash)));
    units.push(...some.filter((unit) => unit !== undefined));
  }
  return units;
}

async function readUnit(store: string, hash: string): Promise<Unit | undefined> {
  try {
    const value: unknown = JSON.parse(await readFile(fragmentFile(store, hash), 'utf8'));
    return isUnit(value) && value.hash === hash ? value : undefined;
  } catch {
    return undefined;
  }
}

function isUnit(value: unknown): value is Unit {
  if (typeof value !== 'object' || value === null) return false;
  const unit = value as Partial<Record<keyof Unit, unknown>>;
  return unit.kymoUnit === 1 && Array.isArray(unit.functions) && Array.isArray(unit.classes);
}
