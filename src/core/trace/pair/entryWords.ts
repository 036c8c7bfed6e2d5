import { at, atInt, atUint } from '../../at';
import { formatCount } from '../../format';
import type { EntryKey } from '../callTrace';
import { entryName } from '../entryName';
import type { PairTree } from './pairTree';

/** An entry in call paths and sentences: `sweep.f [2-625]`, `MPI_RECV from 3`, `MPI_ALLREDUCE`. */
export function pathName(key: EntryKey): string {
  return key.kind === 'context' ? contextName(key) : entryName(key);
}

/** Files of traces in text form have no names of functions: their lines tell them apart. */
function contextName({ name, place, lastLine }: Extract<EntryKey, { kind: 'context' }>): string {
  const isFile = place.file?.slice(place.file.lastIndexOf('/') + 1) === name;
  if (!isFile || place.line === undefined) return name;
  return `${name} [${place.line}${lastLine === undefined ? '' : `-${lastLine}`}]`;
}

/** `+1`, `−2`; 0: the process itself. */
export function distanceWords(distance: number): string {
  return distance > 0 ? `+${distance}` : distance < 0 ? `−${-distance}` : 'itself';
}

/** `510 elements`, `1 element`, `24 bytes` */
export function sizeWords(size: number, unit: 'bytes' | 'elements'): string {
  const number = Number.isInteger(size) ? formatCount(size) : String(Number(size.toPrecision(4)));
  return `${number} ${size === 1 ? unit.slice(0, -1) : unit}`;
}

/** Names from the root to a node; of −1 none. */
export function namesTo(node: number, { parent, key, table }: PairTree): readonly string[] {
  const names: string[] = [];
  for (let above = node; above >= 0; above = atInt(parent, above))
    names.push(pathName(at(table.keys, atUint(key, above))));
  return names.reverse();
}
