import { closeSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import path from 'node:path';
import { KymoError } from '../../core/errors';
import { at } from '../../core/at';
import type { Location, Profile, Region } from '../../core/profile/profile';
import { recordedPartOf } from '../../core/profile/recordedPart';
import { ProcessWaits } from '../../formats/kymo-result/processWaits';
import { ProcessStream } from '../../formats/kymo-iterations/processStream';
import { iterationsFileName } from '../../formats/kymo-iterations/iterationsFile';
import { IterationsWriter } from '../../formats/kymo-iterations/write';
import { partOf, type ByteSource } from '../../formats/byteSource';
import type { ResultHead } from '../../formats/kymo-result/resultFile';
import { isFile } from '../files/isFile';
import { writeError } from '../files/disk';
import { openProfileFile } from '../experiments/profileFile';
import { calibrationOf, leastPairSeconds } from './calibration';
import { InstanceCollector, withInstances } from './instances';
import { sampleOf } from './iterationSample';
import { ContextList, MergedPaths } from './iterationContexts';
import type { MergedTree } from './mergedTree';
import { ProcessIterations, type IterationValue, type RunOfIterations } from './processIterations';
import type { ProcessResult } from './readResults';
import type { SlotRegions } from './slotRegions';
import { CutTimes } from './withinCallers';
import { temporaryName } from '../files/leftovers';
import { SwitchMarks, type ProcessSwitch } from './switchedInRun';

export interface MergeIterationsOptions {
  readonly selectionId: string;
  /** Results in the order of the profile's locations. */
  readonly results: readonly ProcessResult[];
  readonly regions: SlotRegions;
  readonly tree: MergedTree;
  readonly locations: readonly Location[];
  readonly profile: Profile;
  /** Folder for `iterations.kymo`. */
  readonly into: string;
  /** As in `MergeOptions`; ignored when the source marks no phase with this name. */
  readonly phase?: string | undefined;
  readonly switches?: readonly ProcessSwitch[];
  readonly signal?: AbortSignal | undefined;
}

export interface MergedIterations {
  readonly phase: string;
  readonly iterations: number;
  /** The profile with the iterations as `instance=N` below the phase; absent when these are too many. */
  readonly withInstances?: Profile;
  readonly messages: readonly string[];
}

/**
 * Merges the iterations of all processes into `iterations.kymo`, one after another, so that memory does not grow with their number. Undefined if
 * there are none.
 * @throws KymoError `disk-full`, `write-failed`
 */
export async function mergeIterations(
  options: MergeIterationsOptions,
): Promise<MergedIterations | undefined> {
  const messages: string[] = [];
  const files = await findStreams(options, messages);
  if (files.length === 0) return undefined;
  const isMarked = options.results.some(({ regions }) =>
    regions.some(({ name, kind }) => kind === 'phase' && name === options.phase),
  );
  const requested = isMarked ? options.phase : undefined;
  let pass = await merge(options, files, requested);
  // Only a complete pass determines the phase with the most time.
  const [longest, seconds = 0] = [...pass.otherPhases].sort((a, b) => b[1] - a[1])[0] ?? [];
  if (requested === undefined && longest !== undefined && seconds > pass.seconds)
    pass = await merge(options, files, longest);
  if (pass.phase === undefined) return undefined;
  const otherNames = [...pass.otherPhases.keys()].map((name) => `“${name}”`);
  if (otherNames.length > 0)
    messages.push(
      `There are several phases; the iterations are those of “${pass.phase}”, ${requested === undefined ? 'which took the most time' : 'as kymo.json has it'}, and not of ${otherNames.join(', ')}.`,
    );
  return { phase: pass.phase, iterations: pass.iterations, messages, ...pass.instances };
}

/** Maximum memory for the parts of the files that are being read. */
const mostWindowBytes = 1 << 26;

interface StreamFile {
  readonly file: string;
  readonly source: ByteSource;
  readonly waits: ByteSource;
  readonly result: ResultHead;
  readonly firstLocation: number;
}

/** A file that is open only while it is read: a large job may leave more files than may be open at once. */
function briefSource(file: string): ByteSource {
  const reading = <T>(action: (source: ByteSource) => T): T => {
    const opened = openProfileFile(file);
    try {
      return action(opened.source);
    } finally {
      opened.close();
    }
  };
  return {
    size: reading(({ size }) => size),
    read: (offset, length) => reading((source) => source.read(offset, length)),
  };
}

async function findStreams(
  { results }: MergeIterationsOptions,
  messages: string[],
): Promise<readonly StreamFile[]> {
  const streams: StreamFile[] = [];
  let firstLocation = 0;
  for (const result of results) {
    const { file, range, waits } = result.iterationsFile;
    if (range?.length !== 0 && (await isFile(file))) {
      const whole = briefSource(file);
      streams.push({
        file,
        source: range === undefined ? whole : partOf(whole, range),
        waits: partOf(whole, waits ?? { offset: 0, length: 0 }),
        result,
        firstLocation,
      });
    } else if (result.iterations > 0)
      messages.push(`The iterations of process ${result.pid} are missing: ${file} has none.`);
    firstLocation += result.threads.length;
  }
  return streams;
}

interface Pass {
  readonly phase: string | undefined;
  readonly iterations: number;
  readonly seconds: number;
  readonly otherPhases: ReadonlyMap<string, number>;
  readonly instances: Pick<MergedIterations, 'withInstances'>;
}

/** Writes the file for one phase: the requested one, or the first one in the files. */
async function merge(
  options: MergeIterationsOptions,
  files: readonly StreamFile[],
  requested: string | undefined,
): Promise<Pass> {
  const { regions, tree, profile, locations, into, signal } = options;
  const paths = new MergedPaths(tree.callPaths);
  const contexts = new ContextList(regions.regions, paths, locations);
  const estimates = { of: (callPath: number, location: number) => untimedSeconds(tree, callPath, location) };
  const run: RunOfIterations = { regions, paths, contexts, estimates };
  const bytesOfEach = Math.max(4096, Math.min(1 << 20, Math.floor(mostWindowBytes / files.length)));
  const open = (
    { file, source, waits, result, firstLocation }: StreamFile,
    settle: RunOfIterations['settle'] & {},
  ): ProcessIterations => {
    const stream = new ProcessStream(source, file, options.selectionId, bytesOfEach);
    const location = new Map(result.threads.map(({ number }, index) => [number, firstLocation + index]));
    const locationOf = (thread: number): number | undefined => location.get(thread);
    const process = { result: () => result, locationOf };
    return new ProcessIterations(stream, new ProcessWaits(waits), process, { ...run, settle });
  };
  const cut = new CutTimes();
  if (tree.timedVisits !== undefined)
    for (const file of files)
      await learnCuts(
        open(file, (times) => (cut.learn(times), times.fitted)),
        signal,
      );
  const streams = files.map((file) => open(file, (times) => cut.spread(times)));
  const processOf = new Map(streams.map((stream, index) => [stream, at(files, index).result]));
  const marks = new SwitchMarks(options.switches ?? []);
  const chosen = new PhaseChoice(requested);
  const instances = new InstanceCollector(contexts, locations.length);
  const target = path.join(into, iterationsFileName);
  let iterations = 0;
  const hasWaits = files.some(({ waits }) => waits.size > 0);
  await writing(target, hasWaits, async (writer) => {
    for (let live = streams; live.length > 0;) {
      const parts = live.map((stream) => ({ stream, values: chosen.next(stream) }));
      live = parts.flatMap(({ stream, values }) => (values === undefined ? [] : [stream]));
      if (live.length === 0) break;
      for (const stream of live) {
        const process = processOf.get(stream);
        if (process !== undefined) marks.see(process, stream.count - 1, iterations);
      }
      const values = parts.flatMap((part) => part.values ?? []).sort((a, b) => a.context - b.context);
      writer.add(sampleOf(values));
      instances.add(values);
      await breath(++iterations, signal);
    }
    if (chosen.phase === undefined) return undefined;
    const phaseThread = new Map(
      streams.flatMap(({ phaseLocation }) => {
        const place = phaseLocation === undefined ? undefined : locations[phaseLocation];
        return place === undefined ? [] : [[place.rank, place.thread] as const];
      }),
    );
    const isPart = (region: Region): boolean => recordedPartOf(region) !== undefined;
    return writer.finish({
      ...contexts.directory(chosen.phase, phaseThread, leastPairSeconds(calibrationOf(options.results))),
      ...contexts.switched(isPart, marks.ranges(iterations)),
    });
  });
  const extended = instances.isComplete ? withInstances(profile, instances.values, contexts) : undefined;
  return {
    phase: chosen.phase,
    iterations,
    seconds: chosen.seconds,
    otherPhases: chosen.otherPhases,
    instances: extended === undefined ? {} : { withInstances: extended },
  };
}

async function learnCuts(process: ProcessIterations, signal: AbortSignal | undefined): Promise<void> {
  let iterations = 0;
  for (let next = process.next(); next !== undefined; next = process.next()) {
    next.values();
    await breath(++iterations, signal);
  }
}

/** Lets others have their turn now and then. */
async function breath(iterations: number, signal: AbortSignal | undefined): Promise<void> {
  if (iterations % 4096 !== 0) return;
  await new Promise((resolve) => setImmediate(resolve));
  signal?.throwIfAborted();
}

/** Seconds of an untimed visit, as in the profile. */
function untimedSeconds(tree: MergedTree, callPath: number, location: number): number {
  const cell = callPath * tree.locationCount + location;
  const untimed = (tree.visits[cell] ?? 0) - (tree.timedVisits?.[cell] ?? 0);
  return untimed > 0 ? (tree.estimatedSeconds.get(callPath)?.[location] ?? 0) / untimed : 0;
}

/** Skips iterations of other phases, and adds their time. */
class PhaseChoice {
  seconds = 0;
  readonly otherPhases = new Map<string, number>();

  constructor(public phase: string | undefined) {}

  next(stream: ProcessIterations): IterationValue[] | undefined {
    for (let next = stream.next(); next !== undefined; next = stream.next()) {
      this.phase ??= next.phase;
      const values = next.values();
      const seconds = stream.phaseSeconds(values);
      if (next.phase === this.phase) {
        this.seconds += seconds;
        return values;
      }
      this.otherPhases.set(next.phase, (this.otherPhases.get(next.phase) ?? 0) + seconds);
    }
    return undefined;
  }
}

/** Writes a file that appears under its name when complete. @param fill returns the header; undefined for no file */
async function writing(
  target: string,
  hasWaits: boolean,
  fill: (writer: IterationsWriter) => Promise<Uint8Array | undefined>,
): Promise<void> {
  const temporary = temporaryName(target);
  try {
    const file = openSync(temporary, 'wx');
    let header: Uint8Array | undefined;
    try {
      header = await fill(new IterationsWriter((bytes) => writeAll(file, bytes), hasWaits));
      if (header !== undefined) writeSync(file, header, 0, header.length, 0);
    } finally {
      closeSync(file);
    }
    if (header === undefined) rmSync(temporary);
    else renameSync(temporary, target);
  } catch (error) {
    rmSync(temporary, { force: true });
    if (error instanceof KymoError || (error instanceof Error && error.name === 'AbortError')) throw error;
    throw writeError(target, error);
  }
}

function writeAll(file: number, bytes: Uint8Array): void {
  for (let done = 0; done < bytes.length;) done += writeSync(file, bytes, done);
}
