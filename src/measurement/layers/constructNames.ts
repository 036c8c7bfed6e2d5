import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { remembered } from '../../core/remembered';
import { linesOfAddresses } from '../../formats/elf/dwarf/addressLines';
import type { SourceLine } from '../../formats/elf/dwarf/lineProgram';
import { ElfFile } from '../../formats/elf/elfFile';
import type { KymoResult, NamedRegion } from '../../formats/kymo-result/resultFile';
import { withFileSource } from '../files/fileSource';

/** A construct as the layer names it: by an address in a linked object, whose path is the region's file. */
const byAddress = /^(.*) @[^:]*:0x([0-9a-f]+)$/;

/**
 * The results with the names that Score-P gives OpenMP constructs, `!$omp for @heat.c:12`, and with their files and lines. A construct of
 * an object without debug information keeps its address, and has no file.
 */
export async function withConstructNames<Result extends Pick<KymoResult, 'regions'>>(
  results: readonly Result[],
): Promise<readonly Result[]> {
  const regions = results.flatMap((result) => result.regions);
  const addresses = new Map<string, number[]>();
  for (const place of regions.map(placeOf))
    if (place !== undefined) remembered(addresses, place.object, () => []).push(place.address);
  if (addresses.size === 0) return results;
  const lines = new Map<string, ReadonlyMap<number, SourceLine>>();
  for (const [object, wanted] of addresses) lines.set(object, await linesIn(object, wanted));
  const sources = await readSources([...lines.values()].flatMap((of) => [...of.values()]));
  const name = (region: NamedRegion): NamedRegion => {
    const place = placeOf(region);
    if (place === undefined) return region;
    return named(region, place.construct, lines.get(place.object)?.get(place.address), sources);
  };
  return results.map((result) => ({ ...result, regions: result.regions.map(name) }));
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

async function linesIn(
  object: string,
  addresses: readonly number[],
): Promise<ReadonlyMap<number, SourceLine>> {
  try {
    return await withFileSource(object, (source) => linesOfAddresses(ElfFile.open(source), addresses));
  } catch {
    return new Map(); // Names with addresses are better than no profile.
  }
}

type Sources = ReadonlyMap<string, readonly string[]>;

async function readSources(lines: readonly SourceLine[]): Promise<Sources> {
  const files = new Set(lines.flatMap(({ file }) => (file === undefined ? [] : [file])));
  const texts = [...files].map(async (file) => {
    const text = await readFile(file, 'utf8').catch(() => '');
    return [file, text.split('\n')] as const;
  });
  return new Map(await Promise.all(texts));
}

function named(
  { kind, name }: NamedRegion,
  construct: string,
  line: SourceLine | undefined,
  sources: Sources,
): NamedRegion {
  if (line?.file === undefined) return { kind, name };
  const { file } = line;
  const text = sources.get(file) ?? [];
  const shown = inSource(construct, file, text[line.line - 1] ?? '');
  const place = lineOfDirective(shown, text, line.line);
  return { kind, name: `${shown} @${path.basename(file)}:${place}`, file, line: place };
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
