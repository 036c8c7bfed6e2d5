import type { NamedSource } from '../../byteSource';
import type { ChunkedReader } from '../bytes/chunkedReader';
import type { Integer } from '../bytes/values';
import { localDefinitions, mappingTableKind } from '../layouts/definitions';
import type { Notes } from '../problems/notes';
import type { ClockOffset } from './clock';
import { denseIdMap, sparseIdMap, type IdMap } from './idMap';
import { readDefinitions, type DefinitionRecord } from './records';

/** What turns the events of one location into events of the archive. */
export interface LocationTables {
  /** By number of the mapping. */
  readonly maps: readonly (IdMap | undefined)[];
  readonly offsets: readonly ClockOffset[];
}

const dense = 0;

/** Reads the mapping tables and clock offsets; other definitions of a location are part of the global ones. */
export function readLocalDefinitions(source: NamedSource, chunkSize: number, notes: Notes): LocationTables {
  const maps: (IdMap | undefined)[] = [];
  const offsets: ClockOffset[] = [];
  const visit = ({ name, values }: DefinitionRecord): void => {
    if (name !== 'CLOCK_OFFSET') return;
    const { time, offset, deviation } = values as Readonly<Partial<Record<string, Integer>>>;
    if (time === undefined || offset === undefined || (offsets.at(-1)?.time ?? -1n) >= BigInt(time))
      notes.add(
        'local-definitions',
        `${source.file} has a clock offset that is incomplete or not after the one before it, which is ignored.`,
      );
    else offsets.push({ time: BigInt(time), offset: BigInt(offset), deviation: Number(deviation ?? 0) });
  };
  readDefinitions(source, chunkSize, localDefinitions, notes, visit, (reader, type, end) => {
    if (type !== mappingTableKind) return false;
    const kind = reader.u8();
    const map = mappingTable(reader, end);
    if (maps[kind] !== undefined)
      notes.add(
        'local-definitions',
        `${source.file} has two tables for the ids of kind ${kind}; the first one is used.`,
      );
    maps[kind] ??= map;
    return true;
  });
  return { maps, offsets };
}

function mappingTable(reader: ChunkedReader, end: number): IdMap {
  const count = reader.unsigned(8);
  const mode = reader.u8();
  const next = (): number => {
    if (reader.position >= end)
      throw reader.error('invalid-otf2', `A table of ${count} ids was expected; the record ends before.`);
    return reader.unsigned(8);
  };
  if (mode === dense) {
    const globals: number[] = [];
    while (globals.length < count) globals.push(next());
    return denseIdMap(globals);
  }
  const pairs: (readonly [number, number])[] = [];
  while (pairs.length < count) pairs.push([next(), next()]);
  return sparseIdMap(pairs);
}
