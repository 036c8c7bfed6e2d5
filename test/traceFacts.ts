import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { foldIterations } from '../src/core/profile/foldIterations';
import { readCube } from '../src/formats/cube4/read';
import {
  parseCommunication,
  communicationFileName,
} from '../src/formats/kymo-communication/communicationFile';
import type { Location } from '../src/formats/otf2/definitions/model';
import { eventLayouts } from '../src/formats/otf2/layouts/events';
import { openOtf2, type Otf2Archive } from '../src/formats/otf2/open';
import { folderFiles } from '../src/measurement/files/archiveFiles';
import type { Profile, Region } from '../src/core/profile/profile';
import { findProgram } from '../src/measurement/launch/findProgram';

/** What the events of an archive add up to. Regions by their mangled names, threads as `rank.thread`. */
export interface TraceFacts {
  /** Events of each kind. */
  readonly kinds: Readonly<Record<string, number>>;
  /** `rank.thread region` */
  readonly visits: Readonly<Record<string, number>>;
  readonly exclusiveSeconds: Readonly<Record<string, number>>;
  /** Messages and bytes of `sender>receiver`, ranks of `MPI_COMM_WORLD`; as the sender, and as the receiver has them. */
  readonly sent: Readonly<Record<string, readonly [number, number]>>;
  readonly received: Readonly<Record<string, readonly [number, number]>>;
  /** What is wrong with an archive that Kymo reads: nothing. */
  readonly notes: readonly string[];
}

/**
 * Reads an archive.
 * @throws Error where calls are not nested, times go backwards, or a request ends that has not begun
 */
export function traceFacts(anchor: string): TraceFacts {
  const files = folderFiles(path.dirname(anchor));
  try {
    const archive = openOtf2(files, path.basename(anchor));
    const facts = {
      kinds: {} as Record<string, number>,
      visits: {} as Record<string, number>,
      exclusiveSeconds: {} as Record<string, number>,
      sent: {} as Record<string, [number, number]>,
      received: {} as Record<string, [number, number]>,
    };
    for (const location of archive.definitions.locations) readLocation(archive, location, facts);
    return { ...facts, notes: archive.notes().map(({ message }) => message) };
  } finally {
    files.close();
  }
}

interface Growing {
  readonly kinds: Record<string, number>;
  readonly visits: Record<string, number>;
  readonly exclusiveSeconds: Record<string, number>;
  readonly sent: Record<string, [number, number]>;
  readonly received: Record<string, [number, number]>;
}

function readLocation(archive: Otf2Archive, location: Location, facts: Growing): void {
  const reader = new LocationReader(archive, location, facts);
  for (const chunk of archive.events(location))
    for (let event = 0; event < chunk.count; event++)
      reader.event(eventLayouts[chunk.kind[event]!]!.name, chunk.time[event]!, [
        ...chunk.values.subarray(chunk.first[event], chunk.first[event + 1]),
      ]);
  reader.end();
}

class LocationReader {
  private readonly where: string;
  private readonly open: number[] = [];
  private readonly requests = new Set<number>();
  private before = -Infinity;

  constructor(
    private readonly archive: Otf2Archive,
    private readonly location: Location,
    private readonly facts: Growing,
  ) {
    this.where = `${location.rank}.${location.thread}`;
  }

  event(kind: string, time: number, values: readonly number[]): void {
    if (time < this.before) throw this.error(`${kind} at ${time}, behind an event at ${this.before}`);
    const top = this.open.at(-1);
    if (top === undefined && kind !== 'ENTER') throw this.error(`${kind} outside of all calls`);
    if (top !== undefined)
      this.add('exclusiveSeconds', top, (time - this.before) / this.archive.definitions.clock.ticksPerSecond);
    this.before = time;
    this.facts.kinds[kind] = (this.facts.kinds[kind] ?? 0) + 1;
    const [first = -1] = values;
    if (kind === 'ENTER') {
      this.open.push(first);
      this.add('visits', first, 1);
    } else if (kind === 'LEAVE') {
      if (this.open.pop() !== first) throw this.error(`${this.nameOf(first)} is not the top`);
    } else {
      this.message(kind, values);
      this.request(kind, values);
    }
  }

  private message(kind: string, [rank = -1, communicator = -1, , bytes = 0]: readonly number[]): void {
    const own = this.location.rank;
    const group = this.archive.definitions.communicators.get(communicator)?.group;
    const other = Number(group?.members[rank] ?? -1);
    if (/^MPI_I?SEND$/.test(kind)) addMessage(this.facts.sent, `${own}>${other}`, bytes);
    if (/^MPI_I?RECV$/.test(kind)) addMessage(this.facts.received, `${other}>${own}`, bytes);
  }

  private request(kind: string, values: readonly number[]): void {
    const [begins, position] = requestOf[kind] ?? [];
    if (position === undefined) return;
    const number = values[position] ?? -1;
    if (begins === true) this.requests.add(number);
    else if (!this.requests.delete(number)) throw this.error(`request ${number} has not begun`);
  }

  end(): void {
    if (this.open.length > 0) throw this.error(`${this.open.length} calls do not end`);
  }

  private add(what: 'visits' | 'exclusiveSeconds', region: number, amount: number): void {
    const name = this.nameOf(region);
    this.facts[what][name] = (this.facts[what][name] ?? 0) + amount;
  }

  private nameOf(region: number): string {
    return `${this.where} ${this.archive.definitions.regions.get(region)?.canonicalName ?? '?'}`;
  }

  private error(what: string): Error {
    return new Error(`${this.where}: ${what}`);
  }
}

/** Whether a record begins a request, and where it has its number. */
const requestOf: Readonly<Record<string, readonly [begins: boolean, position: number]>> = {
  MPI_ISEND: [true, 4],
  MPI_IRECV_REQUEST: [true, 0],
  NON_BLOCKING_COLLECTIVE_REQUEST: [true, 0],
  MPI_IRECV: [false, 4],
  MPI_ISEND_COMPLETE: [false, 0],
  MPI_REQUEST_CANCELLED: [false, 0],
  NON_BLOCKING_COLLECTIVE_COMPLETE: [false, 5],
};

function addMessage(into: Growing['sent'], pair: string, bytes: number): void {
  const [count, sum] = into[pair] ?? [0, 0];
  into[pair] = [count + 1, sum + bytes];
}

/** The same sums of the profile beside the archive; messages from the communication matrix. */
export function profileFacts(anchor: string): Pick<TraceFacts, 'visits' | 'exclusiveSeconds' | 'sent'> {
  const file = path.join(path.dirname(anchor), 'profile.cubex');
  const profile = foldIterations(readCube(readFileSync(file), file));
  const visits: Record<string, number> = {};
  const exclusiveSeconds: Record<string, number> = {};
  visitPaths(profile, (region, location, count, seconds) => {
    const { rank, thread } = profile.locations[location]!;
    const name = `${rank}.${thread} ${region.mangledName ?? region.name}`;
    if (count > 0) visits[name] = (visits[name] ?? 0) + count;
    exclusiveSeconds[name] = (exclusiveSeconds[name] ?? 0) + seconds;
  });
  return { visits, exclusiveSeconds, sent: matrix(path.dirname(anchor)) };
}

function visitPaths(
  { callPaths, locations, regions, stored }: Profile,
  visit: (region: Region, location: number, visits: number, exclusiveSeconds: number) => void,
): void {
  const value = (metric: string, path: number, location: number): number =>
    stored.get(metric)?.[path * locations.length + location] ?? 0;
  for (let callPath = 0; callPath < callPaths.count; callPath++) {
    const region = regions[callPaths.region[callPath]!]!;
    if (region.role === 'artificial' && region.paradigm === 'measurement') continue;
    const children = [...callPaths.parent.keys()].filter((child) => callPaths.parent[child] === callPath);
    for (const location of locations.keys()) {
      const inclusive = value('time', callPath, location);
      const inside = children.reduce((sum, child) => sum + value('time', child, location), 0);
      visit(region, location, value('visits', callPath, location), inclusive - inside);
    }
  }
}

function matrix(folder: string): TraceFacts['sent'] {
  const file = path.join(folder, communicationFileName);
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return {};
  }
  const { from, to, messages, bytes: amounts } = parseCommunication(text, file);
  return Object.fromEntries(
    [...from].map((rank, pair) => [`${rank}>${to[pair]}`, [messages[pair]!, amounts[pair]!]]),
  );
}

const otf2Print = await findProgram('otf2-print');

/** Events of each kind by `otf2-print -Werror`, which must accept the archive; undefined where it is not installed. */
export function printedKinds(anchor: string): Readonly<Record<string, number>> | undefined {
  if (otf2Print === undefined) return undefined;
  const text = execFileSync(otf2Print, ['-Werror', anchor], { encoding: 'utf8', maxBuffer: 1 << 28 });
  const kinds: Record<string, number> = {};
  for (const [, kind = ''] of text.matchAll(/^([A-Z][A-Z0-9_]+) +\d+ +\d+/gm))
    kinds[kind] = (kinds[kind] ?? 0) + 1;
  return kinds;
}
