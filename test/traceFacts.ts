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
  const { regions, communicators, clock } = archive.definitions;
  const where = `${location.rank}.${location.thread}`;
  const open: number[] = [];
  const requests = new Set<number>();
  let before = -Infinity;
  const nameOf = (region: number): string => `${where} ${regions.get(region)?.canonicalName ?? '?'}`;
  const worldRank = (communicator: number, rank: number): number =>
    Number(communicators.get(communicator)?.group?.members[rank] ?? -1);
  for (const chunk of archive.events(location))
    for (let event = 0; event < chunk.count; event++) {
      const kind = eventLayouts[chunk.kind[event]!]!.name;
      const time = chunk.time[event]!;
      const values = [...chunk.values.subarray(chunk.first[event], chunk.first[event + 1])];
      if (time < before) throw new Error(`${where}: ${kind} at ${time}, behind an event at ${before}`);
      const top = open.at(-1);
      if (top !== undefined) {
        const name = nameOf(top);
        facts.exclusiveSeconds[name] =
          (facts.exclusiveSeconds[name] ?? 0) + (time - before) / clock.ticksPerSecond;
      }
      before = time;
      facts.kinds[kind] = (facts.kinds[kind] ?? 0) + 1;
      const [first = -1, second = -1, , bytes = 0, request = -1] = values;
      const message = (into: Growing['sent'], from: number, to: number): void => {
        const [count, sum] = into[`${from}>${to}`] ?? [0, 0];
        into[`${from}>${to}`] = [count + 1, sum + bytes];
      };
      const ends = (number: number): void => {
        if (!requests.delete(number)) throw new Error(`${where}: request ${number} has not begun`);
      };
      if (kind !== 'ENTER' && top === undefined) throw new Error(`${where}: ${kind} outside of all calls`);
      if (kind === 'ENTER') {
        open.push(first);
        facts.visits[nameOf(first)] = (facts.visits[nameOf(first)] ?? 0) + 1;
      } else if (kind === 'LEAVE' && open.pop() !== first)
        throw new Error(`${where}: ${nameOf(first)} is not the top`);
      else if (kind === 'MPI_SEND' || kind === 'MPI_ISEND')
        message(facts.sent, location.rank, worldRank(second, first));
      else if (kind === 'MPI_RECV' || kind === 'MPI_IRECV')
        message(facts.received, worldRank(second, first), location.rank);
      if (kind === 'MPI_ISEND') requests.add(request);
      if (kind === 'MPI_IRECV_REQUEST' || kind === 'NON_BLOCKING_COLLECTIVE_REQUEST') requests.add(first);
      if (kind === 'MPI_IRECV') ends(request);
      if (kind === 'MPI_ISEND_COMPLETE' || kind === 'MPI_REQUEST_CANCELLED') ends(first);
      if (kind === 'NON_BLOCKING_COLLECTIVE_COMPLETE') ends(values[5] ?? -1);
    }
  if (open.length > 0) throw new Error(`${where}: ${open.length} calls do not end`);
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
