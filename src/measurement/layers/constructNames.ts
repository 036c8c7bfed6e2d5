import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { present } from '../../core/present';
import { remembered } from '../../core/remembered';
import { linesOfAddresses } from '../../formats/elf/dwarf/addressLines';
import type { SourceLine } from '../../formats/elf/dwarf/lineProgram';
import { ElfFile } from '../../formats/elf/elfFile';
import { functionSymbols } from '../../formats/elf/symbolTable';
import type { KymoResult, NamedRegion } from '../../formats/kymo-result/resultFile';
import { withFileSource } from '../files/fileSource';
import { withoutCloneSuffix } from '../symbols/mangledNames';
import { SymbolIndex } from '../symbols/symbolIndex';

/** A construct as the layer names it: by an address in a linked object, whose path is the region's file. */
const byAddress = /^(.*) @[^:]*:0x([0-9a-f]+)$/;

/**
 * The results with the names that Score-P gives OpenMP constructs, `!$omp for @heat.c:12`, and with their files and lines. A construct of
 * an object without debug information has the name of its function, `!$omp for @solve`, or of the object. Addresses would differ between builds.
 */
export function withConstructNames<Result extends Pick<KymoResult, 'regions'>>(
  results: readonly Result[],
): Promise<readonly Result[]> {
  return new ConstructNames().within(results);
}

/** The same, for results of the same programs again and again: each construct is looked up once. */
export class ConstructNames {
  private readonly known = new Map<string, NamedRegion>();

  async within<Result extends Pick<KymoResult, 'regions'>>(
    results: readonly Result[],
  ): Promise<readonly Result[]> {
    const fresh = results
      .flatMap(({ regions }) => regions)
      .filter((region) => placeOf(region) !== undefined && !this.known.has(keyOf(region)));
    if (fresh.length > 0) await this.lookUp(fresh);
    if (this.known.size === 0) return results;
    const name = (region: NamedRegion): NamedRegion => this.known.get(keyOf(region)) ?? region;
    return results.map((result) => ({ ...result, regions: result.regions.map(name) }));
  }

  private async lookUp(regions: readonly NamedRegion[]): Promise<void> {
    const addresses = new Map<string, number[]>();
    for (const place of regions.map(placeOf))
      if (place !== undefined) remembered(addresses, place.object, () => []).push(place.address);
    const spots = new Map<string, ReadonlyMap<number, Spot>>();
    for (const [object, wanted] of addresses) spots.set(object, await spotsIn(object, wanted));
    const sources = await readSources([...spots.values()].flatMap((of) => [...of.values()]));
    for (const region of regions) {
      const place = placeOf(region);
      if (place === undefined) continue;
      const spot = spots.get(place.object)?.get(place.address);
      this.known.set(keyOf(region), named(region, place, spot, sources));
    }
  }
}

function keyOf({ kind, name, file = '' }: NamedRegion): string {
  return `${kind}\n${name}\n${file}`;
}

interface Place {
  readonly construct: string;
  readonly object: string;
  readonly address: number;
}

function placeOf({ name, file, kind }: NamedRegion): Place | undefined {
  if (kind !== 'openmp' && kind !== 'threads') return undefined;
  const [, construct, address] = byAddress.exec(name) ?? [];
  if (construct === undefined || address === undefined || file === undefined) return undefined;
  return { construct, object: file, address: parseInt(address, 16) };
}

/** What an object says of an address. */
type Spot = Partial<SourceLine> & { readonly symbol?: string };

async function spotsIn(object: string, addresses: readonly number[]): Promise<ReadonlyMap<number, Spot>> {
  try {
    return await withFileSource(object, (source) => {
      const file = ElfFile.open(source);
      const lines = linesOfAddresses(file, addresses);
      const symbols = addresses.every((address) => lines.has(address)) ? [] : functionSymbols(file).symbols;
      const index = new SymbolIndex(symbols);
      return new Map(
        addresses.map((address): [number, Spot] => [
          address,
          lines.get(address) ?? present({ symbol: index.containing(address)?.name }),
        ]),
      );
    });
  } catch {
    return new Map(); // Names of objects are better than no profile.
  }
}

type Sources = ReadonlyMap<string, readonly string[]>;

async function readSources(lines: readonly Spot[]): Promise<Sources> {
  const files = new Set(lines.flatMap(({ file }) => (file === undefined ? [] : [file])));
  const texts = [...files].map(async (file) => {
    const text = await readFile(file, 'utf8').catch(() => '');
    return [file, text.split('\n')] as const;
  });
  return new Map(await Promise.all(texts));
}

function named(
  { kind }: NamedRegion,
  { construct, object }: Place,
  spot: Spot | undefined,
  sources: Sources,
): NamedRegion {
  const { file, line, symbol } = spot ?? {};
  if (file === undefined || line === undefined) return { kind, name: withoutLine(construct, object, symbol) };
  const text = sources.get(file) ?? [];
  const shown = inSource(construct, file, text[line - 1] ?? '');
  const place = lineOfDirective(shown, text, line);
  return { kind, name: `${shown} @${path.basename(file)}:${place}`, file, line: place };
}

/** A call that the compiler makes by a jump returns to where its function was called: into the code of Kymo that recorded the function, which says nothing of the construct. */
function withoutLine(construct: string, object: string, symbol: string | undefined): string {
  if (symbol?.startsWith('kymo_') === true) return construct;
  return `${construct} @${symbol === undefined ? path.basename(object) : functionOf(symbol)}`;
}

/** gcc makes `solve._omp_fn.0` of the body of a construct in `solve`, LLVM `solve.omp_outlined`. */
function functionOf(symbol: string): string {
  const [, outer] = /^(.+?)\.(?:_omp_fn|omp_outlined)\b/.exec(symbol) ?? [];
  return outer ?? withoutCloneSuffix(symbol);
}

/** Constructs for whose calls gcc gives a line beside the directive's, with the directive's word. */
const misplaced: Readonly<Record<string, RegExp>> = {
  '!$omp for': /\bfor\b/i,
  '!$omp do': /\bdo\b/i,
  '!$omp single': /\bsingle\b/i,
  '!$omp sections': /\bsections\b/i,
  '!$omp taskgroup': /\btaskgroup\b/i,
  '!$omp implicit barrier': /\b(for|do|single|sections|workshare|scope|parallel)\b/i,
};

function lineOfDirective(construct: string, text: readonly string[], line: number): number {
  const word = misplaced[construct];
  if (word === undefined) return line;
  const isDirective = (place: number): boolean => {
    const [, clauses = ''] = /^\s*(?:#\s*pragma\s+|[!c*]\$)omp\b(.*)/i.exec(text[place - 1] ?? '') ?? [];
    return word.test(clauses);
  };
  return [line, line + 1, line - 1, line + 2, line - 2].find(isDirective) ?? line;
}

/** What the source calls it. */
function inSource(construct: string, file: string, text: string): string {
  // GNU's library has one function for both kinds of barriers.
  if (construct === '!$omp barrier' && text.trim() !== '' && !/\bbarrier\b/i.test(text))
    return '!$omp implicit barrier';
  if (construct === '!$omp for' && /\.(f|for|ftn|f77|f90|f95|f03|f08|f18)$/i.test(file)) return '!$omp do';
  return construct;
}
