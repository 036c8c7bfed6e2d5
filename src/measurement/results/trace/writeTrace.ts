import { randomBytes } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { mkdir, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { at } from '../../../core/at';
import { KymoError } from '../../../core/errors';
import type { Location, Region, SystemNode } from '../../../core/profile/profile';
import type { NamedSource } from '../../../formats/byteSource';
import type { ResultHead } from '../../../formats/kymo-result/resultFile';
import { openTrace, readEvents, type ProcessTrace } from '../../../formats/kymo-trace/traceFile';
import {
  completenessOf,
  type LosingLocation,
  type RecordedIterations,
} from '../../../formats/otf2/completeness';
import { enumerations } from '../../../formats/otf2/layouts/enums';
import { ArchiveWriter } from '../../../formats/otf2/write/archiveWriter';
import { explainFileError } from '../../files/explainFileError';
import { resultsFile, withFileSource } from '../../files/fileSource';
import { traceClocks, type ProcessClock } from './clocks';
import { Communicators, processesOfRanks } from './communicators';
import { defineRegions } from './regions';
import { ThreadEvents } from './threadEvents';
import { traceSentences, type WrittenThread } from './sentences';

/** Name of the anchor file in the folder of an experiment; `traces.def` and the folder `traces` are beside it. */
export const traceFileName = 'traces.otf2';

export interface WriteTraceOptions {
  /** `KYMO_RESULTS` of the run. */
  readonly directory: string;
  readonly selectionId: string;
  /** Folder of the archive. */
  readonly into: string;
  readonly results: readonly ResultHead[];
  /** Of the profile. */
  readonly regions: readonly Region[];
  /** Name of the region whose visits are the iterations of the profile. */
  readonly phase: string | undefined;
  readonly system: readonly SystemNode[];
  readonly locations: readonly Location[];
  /** Position of the region of a process's slot; undefined: the trace leaves it out. */
  readonly regionOf: (result: ResultHead, slot: number) => number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The archive that was written. */
export interface WrittenTrace {
  /** The anchor file. */
  readonly file: string;
  /** Without those that the memory had no room for. */
  readonly events: number;
  readonly lostEvents: number;
}

interface Process {
  readonly result: ResultHead;
  readonly trace: ProcessTrace;
  readonly file: string;
  /** Position of its first thread in the locations. */
  readonly firstLocation: number;
}

const undefinedId = 0xffff_ffff;
const pagesBetweenPauses = 64;

/** Removes an archive from the folder of an experiment. */
export async function removeTrace(folder: string): Promise<void> {
  for (const name of [traceFileName, 'traces.def', 'traces'])
    await rm(path.join(folder, name), { recursive: true, force: true });
}

/**
 * Writes the events that the processes of a run recorded as an OTF2 archive, one thread at a time.
 * @returns no archive when no process recorded any; sentences for the user
 * @throws KymoError for errors of the disk
 */
export async function writeTrace(
  options: WriteTraceOptions,
): Promise<{ readonly trace?: WrittenTrace; readonly messages: readonly string[] }> {
  const messages: string[] = [];
  const processes = await openProcesses(options, messages);
  await removeTrace(options.into);
  if (processes.length === 0)
    return { messages: ['There is no trace: no process of the run wrote its events.', ...messages] };
  await mkdir(path.join(options.into, 'traces'));
  const archive = new TraceArchive(options, processes);
  for (const [position, process] of processes.entries()) {
    try {
      await withFileSource(process.file, (source) => archive.add(process, position, source), resultsFile);
    } catch (error) {
      if (!(error instanceof KymoError) || error.reason !== 'invalid-trace') throw error;
      messages.push(`The trace lacks the rest of a process: ${error.message}`);
    }
  }
  const { events, threads } = archive.finish();
  return {
    trace: {
      file: path.join(options.into, traceFileName),
      events,
      lostEvents: threads.reduce((sum, { thread }) => sum + thread.lost, 0),
    },
    messages: [
      ...messages,
      ...traceSentences({
        traces: processes.map(({ trace }) => trace),
        threads,
        ticksPerSecond: archive.clocks.ticksPerSecond,
        unsynchronised: archive.clocks.unsynchronised,
        hasMpi: archive.hasMpi,
        iterations: Math.max(...processes.map(({ result }) => result.iterations)),
      }),
    ],
  };
}

/** A process without a trace is one that could not write it: its locations have no events. */
async function openProcesses(
  { directory, results, selectionId }: WriteTraceOptions,
  messages: string[],
): Promise<readonly Process[]> {
  const byProcess = new Map<string, Omit<Process, 'result' | 'firstLocation'>>();
  for (const name of (await readdir(directory)).filter((each) => each.endsWith('.trace')).sort()) {
    const file = path.join(directory, name);
    try {
      const trace = await withFileSource(file, openTrace, resultsFile);
      if (trace.selectionId === selectionId) byProcess.set(`${trace.host} ${trace.pid}`, { trace, file });
    } catch (error) {
      if (!(error instanceof KymoError)) throw error;
      messages.push(`The trace lacks a process: ${error.message}`);
    }
  }
  const processes: Process[] = [];
  let firstLocation = 0;
  for (const result of results) {
    const found = byProcess.get(`${result.host} ${result.pid}`);
    if (found !== undefined) processes.push({ ...found, result, firstLocation });
    firstLocation += result.threads.length;
  }
  const missing = results.length - processes.length;
  if (missing > 0 && processes.length > 0)
    messages.push(`${missing} of ${results.length} processes have no events in the trace.`);
  return processes;
}

class TraceArchive {
  readonly clocks;
  private readonly writer: ArchiveWriter;
  private readonly threads: WrittenThread[] = [];
  private readonly ids: readonly bigint[];
  private readonly communicators: Communicators;
  /** Locations of the ranks' master threads. */
  private readonly masters: readonly bigint[] | undefined;
  private readonly eventsOf: Float64Array;

  constructor(
    private readonly options: WriteTraceOptions,
    private readonly processes: readonly Process[],
  ) {
    const { into, locations, phase, regions, results, system } = options;
    const traces = processes.map(({ trace }) => trace);
    this.clocks = traceClocks(traces);
    this.ids = locations.map(({ rank, thread }) => (BigInt(thread) << 32n) + BigInt(rank));
    this.eventsOf = new Float64Array(locations.length);
    this.writer = new ArchiveWriter(
      'traces',
      (name) => {
        const file = path.join(into, name);
        return (bytes) => explainFileError(file, 'written', () => appendFileSync(file, bytes));
      },
      {
        creator: 'Kymo',
        traceId: randomBytes(8).readBigUInt64LE(),
        properties: this.completeness(),
      },
    );
    const { ticksPerSecond, length, beginNanoseconds } = this.clocks;
    this.writer.define('CLOCK_PROPERTIES', {
      ticksPerSecond,
      globalOffset: 0,
      length,
      realtimeNanoseconds: beginNanoseconds,
    });
    this.writer.string('');
    defineRegions(this.writer, regions, phase);
    defineSystem(this.writer, system);
    this.communicators = new Communicators(traces);
    const masters = processesOfRanks(results)?.map((process) => this.masterOf(process));
    this.masters = masters?.length === 0 ? undefined : masters;
  }

  get hasMpi(): boolean {
    return this.masters !== undefined;
  }

  private completeness(): ReadonlyMap<string, string> {
    const { processes, options } = this;
    const lost = processes.flatMap((process, position) => this.lostBy(process, position));
    const [first] = processes;
    return completenessOf(
      first?.trace.keepsLast === true ? 'last' : 'first',
      lost.sort((a, b) => b.events - a.events),
      iterationsOf(processes),
      options.results.length - processes.length,
    );
  }

  private lostBy({ trace, result, firstLocation }: Process, position: number): readonly LosingLocation[] {
    const { clocks, ticksPerSecond } = this.clocks;
    return trace.threads.flatMap(({ number, lost, lostTime }) => {
      const index = result.threads.findIndex((thread) => thread.number === number);
      if (lost === 0 || index < 0) return [];
      const ticks = Math.max(0, Number(lostTime - at(clocks, position).base));
      return [
        {
          location: String(at(this.ids, firstLocation + index)),
          events: lost,
          seconds: ticks / ticksPerSecond,
        },
      ];
    });
  }

  private masterOf(process: number): bigint {
    const { results } = this.options;
    const before = results.slice(0, process).reduce((sum, { threads }) => sum + threads.length, 0);
    return at(this.ids, before);
  }

  /** Writes the events of a process. */
  async add({ result, trace, firstLocation }: Process, position: number, source: NamedSource): Promise<void> {
    const { regionOf, signal } = this.options;
    const clock = at(this.clocks.clocks, position);
    const regions = new Map<number, number | undefined>();
    const requests = new Set<number>();
    const regionOfSlot = (slot: number): number | undefined => {
      if (!regions.has(slot)) regions.set(slot, regionOf(result, slot));
      return regions.get(slot);
    };
    for (const thread of trace.threads) {
      const index = result.threads.findIndex(({ number }) => number === thread.number);
      if (index < 0) continue;
      const location = firstLocation + index;
      const id = at(this.ids, location);
      const writer = this.writer.location(id);
      const events = new ThreadEvents({
        writer,
        regionOf: regionOfSlot,
        communicators: this.masters && this.communicators.numbers,
        requests,
      });
      try {
        const pages = readEvents(source, thread, clock.base, events);
        for (let page = 1; pages.next().done !== true; page++) {
          if (page % pagesBetweenPauses !== 0) continue;
          await new Promise((resolve) => setImmediate(resolve));
          signal?.throwIfAborted();
        }
      } finally {
        events.finish(thread, trace, clock.base);
        this.eventsOf[location] = writer.events;
        this.threads.push({ result, thread, index, gaps: events.gaps, clock });
        this.writer.close(id);
      }
    }
  }

  finish(): { readonly events: number; readonly threads: readonly WrittenThread[] } {
    const { locations } = this.options;
    const offsets = new Map<number, ProcessClock['offsets']>();
    for (const [position, { result, firstLocation }] of this.processes.entries())
      for (const index of result.threads.keys())
        offsets.set(firstLocation + index, at(this.clocks.clocks, position).offsets);
    let events = 0;
    for (const [position, { name, rank }] of locations.entries()) {
      const id = at(this.ids, position);
      const own = this.eventsOf[position] ?? 0;
      events += own;
      // Also a location without events has its files.
      if (own === 0) {
        this.writer.location(id);
        this.writer.close(id);
      }
      this.writer.localDefinitions(id, {}, offsets.get(position) ?? []);
      this.writer.define('LOCATION', {
        id,
        name: this.writer.string(name),
        type: enumerations.locationType.indexOf('CPU_THREAD'),
        events: own,
        group: rank,
      });
    }
    if (this.masters !== undefined) this.communicators.define(this.writer, this.masters);
    this.writer.finish();
    return { events, threads: this.threads };
  }
}

/** Those that were to be recorded, as far as the run came. */
function iterationsOf(processes: readonly Process[]): RecordedIterations | undefined {
  const [wanted] = processes.flatMap(({ trace }) => trace.iterations ?? []);
  if (wanted === undefined) return undefined;
  const { first, last } = wanted;
  const there = Math.max(...processes.map(({ result }) => result.iterations));
  return { first, last: Math.max(first, Math.min(last, there)) };
}

/** Machine and nodes, and the processes as groups of locations with their ranks as numbers. */
function defineSystem(writer: ArchiveWriter, system: readonly SystemNode[]): void {
  const domains: readonly string[] = enumerations.systemTreeDomain;
  const domainOf: Readonly<Record<string, string>> = { machine: 'MACHINE', node: 'SHARED_MEMORY' };
  for (const [id, { name, kind, parent = undefinedId, rank }] of system.entries()) {
    if (kind === 'process') {
      writer.define('LOCATION_GROUP', {
        id: rank ?? 0,
        name: writer.string(name),
        type: enumerations.locationGroupType.indexOf('PROCESS'),
        parent,
        creator: undefinedId,
      });
      continue;
    }
    writer.define('SYSTEM_TREE_NODE', {
      id,
      name: writer.string(name),
      className: writer.string(kind),
      parent,
    });
    writer.define('SYSTEM_TREE_NODE_DOMAIN', {
      systemTreeNode: id,
      domain: domains.indexOf(domainOf[kind] ?? 'MACHINE'),
    });
  }
}
