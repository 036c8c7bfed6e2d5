import type { ElfFile } from '../elfFile';
import { readUnits } from './compilationUnit';
import { DebugSections } from './debugSections';
import { linesOf, type SourceLine } from './lineProgram';
import { readLineTable } from './lineTable';

/**
 * The source lines of instructions. Addresses without one are missing.
 * @param addresses as linked, in any order
 * @throws KymoError `invalid-dwarf`
 */
export function linesOfAddresses(
  file: ElfFile,
  addresses: readonly number[],
): ReadonlyMap<number, SourceLine> {
  const sections = new DebugSections(file);
  const wanted = [...new Set(addresses)].sort((a, b) => a - b);
  const found = new Map<number, SourceLine>();
  const read = new Set<number>();
  for (const unit of readUnits(sections)) {
    const offset = unit.lineTable;
    if (offset === undefined || read.has(offset)) continue;
    read.add(offset);
    const table = readLineTable(sections, offset, unit.directory);
    if (table !== undefined) for (const [address, line] of linesOf(table, wanted)) found.set(address, line);
    if (found.size === wanted.length) break;
  }
  return found;
}
