import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { layoutNeutralEntry } from '../../src/core/probes/entryNops';

export type SiteKind = 'entry' | 'sled';

interface Section {
  readonly address: number;
  readonly offset: number;
  readonly size: number;
}

/** The sites of a linked object, with addresses as linked. */
export interface Sites {
  readonly name: string;
  readonly buildId: string;
  /** Symbol name to the address of its entry NOPs. */
  readonly entries: ReadonlyMap<string, number>;
  /** Sleds by the number of their function. */
  readonly sleds: ReadonlyMap<number, { readonly in: readonly number[]; readonly out: readonly number[] }>;
}

const run = (command: string, words: readonly string[]): string =>
  execFileSync(command, words, { encoding: 'utf8', maxBuffer: 1 << 28 });

function sections(file: string): ReadonlyMap<string, Section> {
  const found = new Map<string, Section>();
  for (const match of run('readelf', ['-SW', file]).matchAll(
    /\]\s+(\S+)\s+\S+\s+([0-9a-f]{16})\s+([0-9a-f]+)\s+([0-9a-f]+)/g,
  )) {
    const [, name = '', address = '0', offset = '0', size = '0'] = match;
    found.set(name, {
      address: parseInt(address, 16),
      offset: parseInt(offset, 16),
      size: parseInt(size, 16),
    });
  }
  return found;
}

function bytes(file: string, section: string): Buffer {
  const text = run('readelf', ['-x', section, file]);
  const rows = [...text.matchAll(/^ {2}0x[0-9a-f]+ ((?:[0-9a-f]{2,8} ){1,4})/gm)].map((row) =>
    (row[1] ?? '').replaceAll(' ', ''),
  );
  return Buffer.from(rows.join(''), 'hex');
}

/** Addresses in `__patchable_function_entries`. In PIE and libraries the relocations contain them, in other programs the section. */
function patchableEntries(file: string, section: Section | undefined): readonly number[] {
  if (section === undefined) return [];
  const found: number[] = [];
  for (const match of run('readelf', ['-rW', file]).matchAll(
    /^([0-9a-f]{16})\s+\S+\s+R_\w+_RELATIV\w*\s+([0-9a-f]+)/gm,
  )) {
    const place = parseInt(match[1] ?? '0', 16);
    if (place >= section.address && place < section.address + section.size)
      found.push(parseInt(match[2] ?? '0', 16));
  }
  if (found.length > 0) return found;
  const raw = bytes(file, '__patchable_function_entries');
  for (let at = 0; at + 8 <= raw.length; at += 8) found.push(Number(raw.readBigUInt64LE(at)));
  return found;
}

/** An entry belongs to the symbol just before its record, or behind the NOPs that precede the function. */
function readEntries(file: string, all: ReadonlyMap<string, Section>): ReadonlyMap<string, number> {
  const functions = new Map<number, string>();
  for (const line of run('nm', ['-p', file]).split('\n')) {
    const match = /^([0-9a-f]{16}) [tTwWiu] ([^$\s]\S*)$/.exec(line); // A symbol `$x` marks code on aarch64.
    if (match) functions.set(parseInt(match[1] ?? '0', 16), match[2] ?? '');
  }
  const text = all.get('.text');
  let code: Buffer | undefined;
  const hasLandingPad = (address: number): boolean => {
    code ??= bytes(file, '.text');
    return code.readUInt32LE(address - (text?.address ?? 0)) === 0xfa1e0ff3; // endbr64
  };
  const entries = new Map<string, number>();
  for (const record of patchableEntries(file, all.get('__patchable_function_entries'))) {
    const begin = record + layoutNeutralEntry.before;
    const name = functions.get(record) ?? functions.get(record - 4); // after endbr64 or bti c
    const after = functions.get(begin);
    if (name !== undefined) entries.set(name, record);
    else if (after !== undefined) entries.set(after, hasLandingPad(begin) ? begin + 4 : begin);
  }
  return entries;
}

export function readSites(file: string): Sites {
  const all = sections(file);
  const buildId = /Build ID: ([0-9a-f]+)/.exec(run('readelf', ['-n', file]))?.[1] ?? '';
  const entries = readEntries(file, all);
  const sleds = new Map<number, { in: number[]; out: number[] }>();
  const section = all.get('kymo_sleds');
  const raw = section === undefined ? Buffer.alloc(0) : bytes(file, 'kymo_sleds');
  for (let at = 0; section !== undefined && at + 16 <= raw.length; at += 16) {
    const number = raw.readUInt32LE(at + 4);
    const sled = sleds.get(number >> 1) ?? { in: [], out: [] };
    (number & 1 ? sled.out : sled.in).push(section.address + at + raw.readInt32LE(at));
    sleds.set(number >> 1, sled);
  }
  return { name: path.basename(file), buildId, entries, sleds };
}

export interface Chosen {
  readonly sites: Sites;
  /** Maps the name of a region to its selected site: the symbol of an entry, or the number of a function with sleds. */
  readonly regions: ReadonlyMap<string, string | number>;
}

/**
 * Writes a selection file and returns the region names by slot. Slots count from 0 in the order of first mention. `intervals` maps the
 * names of sampled regions to their interval: about one visit in that number is timed. The visits of `phases` are the iterations. The sites of `idle` regions are
 * off at first.
 */
export function writeSelection(
  file: string,
  objects: readonly Chosen[],
  intervals: ReadonlyMap<string, number> = new Map(),
  phases: readonly string[] = [],
  idle: readonly string[] = [],
): readonly string[] {
  const slots: string[] = [];
  const body: string[] = [];
  for (const { sites, regions } of objects) {
    body.push(`object ${sites.buildId} ${sites.name}`);
    for (const [region, what] of regions) {
      let slot = slots.indexOf(region);
      if (slot < 0) slot = slots.push(region) - 1;
      if (typeof what === 'string') {
        const address = sites.entries.get(what);
        if (address === undefined) throw new Error(`${sites.name} has no patchable entry ${what}`);
        body.push(`entry ${slot} ${address.toString(16)}`);
      } else {
        const sled = sites.sleds.get(what);
        if (sled === undefined) throw new Error(`${sites.name} has no sled ${what}`);
        for (const address of sled.in) body.push(`in ${slot} ${address.toString(16)}`);
        for (const address of sled.out) body.push(`out ${slot} ${address.toString(16)}`);
      }
    }
  }
  writeFileSync(
    file,
    [
      `kymo-selection ${idle.length > 0 ? 4 : phases.length > 0 ? 3 : intervals.size > 0 ? 2 : 1}`,
      'id 00000000deadbeef',
      `slots ${slots.length}`,
      ...phases.map((region) => `phase ${slots.indexOf(region)}`),
      ...[...intervals].map(([region, interval]) => `sample ${slots.indexOf(region)} ${interval}`),
      ...idle.map((region) => `idle ${slots.indexOf(region)}`),
      ...body,
      'end',
      '',
    ].join('\n'),
  );
  return slots;
}

/** Selects every entry by its symbol, or every sled by the name for its number. */
export function everything(
  sites: Sites,
  kind: SiteKind,
  names: ReadonlyMap<number, string> = new Map(),
): Chosen {
  const regions = new Map<string, string | number>();
  if (kind === 'entry') for (const name of sites.entries.keys()) regions.set(name, name);
  else for (const number of sites.sleds.keys()) regions.set(names.get(number) ?? `f${number}`, number);
  return { sites, regions };
}
