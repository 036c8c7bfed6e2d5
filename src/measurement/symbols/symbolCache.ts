import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { ElfFile } from '../../formats/elf/elfFile';
import { withFileSource } from './fileSource';
import { symbolsVersion, type FunctionSymbol, type ObjectSymbols } from './objectSymbols';
import { readObject, type ReadOptions } from './readObject';
import { ownerMark } from '../files/leftovers';

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
 * Functions and sites of a linked object, from the cache when an object with the same build id was read before. A cache
 * that is damaged or cannot be written costs time, nothing else.
 */
export async function readObjectSymbols(file: string, options: SymbolOptions = {}): Promise<ObjectSymbols> {
  const buildId = await withFileSource(file, (source) => ElfFile.open(source).buildId());
  const cached = buildId === undefined ? undefined : cachePath(buildId, options);
  const known = cached === undefined ? undefined : await load(cached, buildId);
  if (known !== undefined) return known;
  const symbols = await readObject(file, options);
  // A stripped copy has the same build id: what it lacks must not hide what the full one tells.
  if (cached !== undefined && symbols.problems.length === 0) await store(cached, symbols);
  return symbols;
}

function cachePath(buildId: string, options: SymbolOptions): string {
  const home = process.env.XDG_CACHE_HOME;
  const base = home !== undefined && path.isAbsolute(home) ? home : path.join(homedir(), '.cache');
  return path.join(options.cacheDirectory ?? path.join(base, 'kymo', 'symbols'), `${buildId}.json`);
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
  const temporary = `${file}.${ownerMark()}.${randomUUID()}.tmp`;
  try {
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(temporary, JSON.stringify(symbols));
    await rename(temporary, file);
  } catch {
    await rm(temporary, { force: true }).catch(() => undefined);
  }
}

type Fields = Readonly<Record<string, unknown>>;

function isObjectSymbols(value: unknown): value is ObjectSymbols {
  if (!isRecord(value) || value.kymoSymbols !== symbolsVersion) return false;
  const { functions, units, sleds, entries, inlined, problems } = value;
  if (!Array.isArray(functions)) return false;
  const isPosition = (x: unknown): boolean => isCount(x) && x < functions.length;
  return (
    functions.every(isFunctionSymbol) &&
    allOf(units, isText) &&
    allOf(problems, isText) &&
    allOf(sleds, (s) => isRecord(s) && isSled(s, isPosition)) &&
    allOf(entries, (e) => isRecord(e) && isCount(e.offset) && isPosition(e.function)) &&
    allOf(inlined, (i) => isRecord(i) && ['callee', 'caller'].every((k) => isPosition(i[k])))
  );
}

function isFunctionSymbol(value: unknown): boolean {
  return (
    isRecord(value) &&
    isText(value.mangledName) &&
    isText(value.name) &&
    isText(value.simpleName) &&
    ['file'].every((k) => value[k] === undefined || isText(value[k])) &&
    ['line', 'column', 'address', 'size', 'entry'].every((k) => value[k] === undefined || isCount(value[k]))
  );
}

function isSled(sled: Fields, isPosition: (x: unknown) => boolean): boolean {
  const { offset, kind, unit, number, chain } = sled;
  const isKnownKind = kind === 'in' || kind === 'out';
  return isCount(offset) && isKnownKind && isText(unit) && isCount(number) && allOf(chain, isPosition);
}

function isRecord(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null;
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
