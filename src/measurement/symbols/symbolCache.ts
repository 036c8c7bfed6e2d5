import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { isRecord } from '../../core/present';
import { ElfFile } from '../../formats/elf/elfFile';
import { withFileSource } from '../files/fileSource';
import { symbolsVersion, type FunctionSymbol, type ObjectSymbols } from './objectSymbols';
import { readObject, type ReadOptions } from './readObject';
import { cacheFolder } from '../compilers/settings';
import { makeFolder } from '../files/atomicFile';
import { writeFileAtomically } from '../files/disk';

export interface SymbolOptions extends ReadOptions {
  /** Default: `$XDG_CACHE_HOME/kymo/symbols`, or `~/.cache/kymo/symbols`. */
  readonly cacheDirectory?: string;
}

/** The functions of an executable, library or object file; see `readObjectSymbols`. */
export async function readFunctionSymbols(
  file: string,
  options: SymbolOptions = {},
): Promise<readonly FunctionSymbol[]> {
  return (await readObjectSymbols(file, options)).functions;
}

/**
 * Functions and sites of a linked object, from the cache if it has an object with the same build id. A cache
 * that is damaged or cannot be written only costs time.
 */
export async function readObjectSymbols(file: string, options: SymbolOptions = {}): Promise<ObjectSymbols> {
  const buildId = await withFileSource(file, (source) => ElfFile.open(source).buildId());
  const cached = buildId === undefined ? undefined : cachePath(buildId, options);
  const stored = cached === undefined ? undefined : await load(cached, buildId);
  if (stored !== undefined) return stored;
  const symbols = await readObject(file, options);
  // A stripped copy has the same build id; its symbols must not replace those of the full one.
  if (cached !== undefined && symbols.problems.length === 0) await store(cached, symbols);
  return symbols;
}

function cachePath(buildId: string, options: SymbolOptions): string {
  return path.join(
    options.cacheDirectory ?? path.join(cacheFolder(process.env), 'symbols'),
    `${buildId}.json`,
  );
}

async function load(file: string, buildId: string | undefined): Promise<ObjectSymbols | undefined> {
  try {
    const parsed: unknown = JSON.parse(await readFile(file, 'utf8'));
    return isObjectSymbols(parsed) && parsed.buildId === buildId ? parsed : undefined;
  } catch {
    return undefined;
  }
}

async function store(file: string, symbols: ObjectSymbols): Promise<void> {
  try {
    makeFolder(path.dirname(file));
    await writeFileAtomically(file, JSON.stringify(symbols));
  } catch {
    // A cache that cannot be written costs time only.
  }
}

function isObjectSymbols(value: unknown): value is ObjectSymbols {
  if (!isRecord(value) || value.kymoSymbols !== symbolsVersion) return false;
  const { functions, units, sleds, entries, problems } = value;
  if (!Array.isArray(functions)) return false;
  const isPosition = (x: unknown): boolean => isCount(x) && x < functions.length;
  return (
    functions.every(isFunctionSymbol) &&
    allOf(units, isText) &&
    allOf(problems, isText) &&
    allOf(sleds, (s) => isRecord(s) && isSled(s, isPosition)) &&
    allOf(entries, (e) => isRecord(e) && isCount(e.offset) && isPosition(e.function))
  );
}

function isFunctionSymbol(value: unknown): boolean {
  return (
    isRecord(value) &&
    isText(value.mangledName) &&
    isText(value.name) &&
    isText(value.simpleName) &&
    (value.file === undefined || isText(value.file)) &&
    ['line', 'column', 'address', 'size', 'entry'].every((k) => value[k] === undefined || isCount(value[k]))
  );
}

function isSled(sled: Readonly<Record<string, unknown>>, isPosition: (x: unknown) => boolean): boolean {
  const { offset, kind, unit, number, chain } = sled;
  const isKnownKind = kind === 'in' || kind === 'out';
  return isCount(offset) && isKnownKind && isText(unit) && isCount(number) && allOf(chain, isPosition);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}

function allOf(value: unknown, test: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every((item: unknown) => test(item));
}
