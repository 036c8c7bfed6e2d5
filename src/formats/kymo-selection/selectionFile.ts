/** The sites that the runtime patches (docs/formats.md, "Selection file"). */
export interface SelectionFile {
  /** 16 hex digits; the result file repeats it. */
  readonly id: string;
  /** Slots are 0 … count − 1. */
  readonly slotCount: number;
  /** Slots whose visits are the iterations; a file with phases has version 3. */
  readonly phases?: readonly number[];
  /** Slots whose visits are sampled, i.e. not all timed; a file with samples and no phases has version 2. */
  readonly samples?: readonly SelectionSample[];
  /** Slots whose sites are off until somebody who watches the run switches them on; a file with them has version 4. */
  readonly idle?: readonly number[];
  readonly objects: readonly SelectionObject[];
}

export interface SelectionSample {
  readonly slot: number;
  /** The runtime times about one of `interval` visits; a power of two from 2 to 65536. */
  readonly interval: number;
}

/** Sizes of the runtime's tables. */
export const maximumSamples = 1024;
export const maximumPhases = 64;

export interface SelectionObject {
  /** Hex digits. */
  readonly buildId: string;
  /** Only for messages. */
  readonly name: string;
  readonly sites: readonly SelectionSite[];
}

export interface SelectionSite {
  readonly kind: 'entry' | 'in' | 'out';
  readonly slot: number;
  /** Linked address. */
  readonly offset: number;
}

export function printSelectionFile(selection: SelectionFile): string {
  const { phases = [], samples = [], idle = [] } = selection;
  const version = idle.length > 0 ? 4 : phases.length > 0 ? 3 : samples.length > 0 ? 2 : 1;
  const lines = [`kymo-selection ${version}`, `id ${selection.id}`, `slots ${selection.slotCount}`];
  for (const slot of phases) lines.push(`phase ${slot}`);
  for (const { slot, interval } of samples) lines.push(`sample ${slot} ${interval}`);
  for (const slot of idle) lines.push(`idle ${slot}`);
  for (const object of selection.objects) {
    lines.push(`object ${object.buildId} ${oneLine(object.name)}`);
    for (const { kind, slot, offset } of object.sites) lines.push(`${kind} ${slot} ${offset.toString(16)}`);
  }
  lines.push('end', '');
  return lines.join('\n');
}

/** Replaces control characters of a file name, which would break the line. */
function oneLine(name: string): string {
  const plain = name.replace(/[\p{Cc}\u2028\u2029]/gu, '?').trim();
  return plain === '' ? '?' : plain;
}
