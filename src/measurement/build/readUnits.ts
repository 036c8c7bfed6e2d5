import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Parser } from 'web-tree-sitter';
import { isRecord } from '../../core/present';
import type { Unit } from '../../core/source/unit';
import { toolFolder } from '../files/toolFolder';
import { loadParser } from '../wrappers/analyser';
import { writeAtomically } from '../files/atomicFile';
import { fragmentFile, keptTextFile } from '../wrappers/fragments';
import { fragmentOf, parseKeptText } from './keptText';

/** Number of fragments that are read at the same time. */
const atOnce = 32;

/**
 * The fragments of the units that are linked into a program, in the order of the hashes, without those that are missing or damaged: the
 * site map reports their functions. Where the wrapper stored a unit's text, this makes the fragment from it and stores that instead.
 */
export async function readUnits(store: string, hashes: Iterable<string>): Promise<readonly Unit[]> {
  const sorted = [...new Set(hashes)].sort();
  const units: Unit[] = [];
  let parser: Promise<Parser> | undefined;
  const parserOfC = (): Promise<Parser> => (parser ??= loadParser('c', path.join(toolFolder(), 'grammars')));
  for (let first = 0; first < sorted.length; first += atOnce) {
    const some = await Promise.all(
      sorted.slice(first, first + atOnce).map((hash) => readUnit(store, hash, parserOfC)),
    );
    units.push(...some.filter((unit) => unit !== undefined));
  }
  return units;
}

async function readUnit(
  store: string,
  hash: string,
  parser: () => Promise<Parser>,
): Promise<Unit | undefined> {
  return (
    (await readFragment(store, hash)) ??
    (await makeFragment(store, hash, parser)) ??
    readFragment(store, hash)
  );
}

async function readFragment(store: string, hash: string): Promise<Unit | undefined> {
  try {
    const value: unknown = JSON.parse(await readFile(fragmentFile(store, hash), 'utf8'));
    return isUnit(value) && value.hash === hash ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Undefined when there is no stored text; another process may just have made the fragment from it. */
async function makeFragment(
  store: string,
  hash: string,
  parser: () => Promise<Parser>,
): Promise<Unit | undefined> {
  const file = keptTextFile(store, hash);
  const bytes = await readFile(file).catch(() => undefined);
  const kept = bytes === undefined ? undefined : parseKeptText(bytes);
  if (kept?.hash !== hash) return undefined;
  const unit = fragmentOf(kept, await parser());
  try {
    writeAtomically(fragmentFile(store, hash), `${JSON.stringify(unit)}\n`);
    await rm(file, { force: true });
  } catch {
    // The store cannot be written: the next process makes the fragment again.
  }
  return unit;
}

function isUnit(value: unknown): value is Unit {
  return (
    isRecord(value) && value.kymoUnit === 1 && Array.isArray(value.functions) && Array.isArray(value.classes)
  );
}
