import { isKymoError } from '../../core/errors';
import { present } from '../../core/present';
import type { SeriesRegion } from '../../core/series/series';
import type { ControlMessage } from '../../formats/control/messages';
import type { NamedRegion } from '../../formats/kymo-result/resultFile';
import { withConstructNames } from '../../measurement/layers/constructNames';
import { calibrationOf, leastPairSeconds } from '../../measurement/results/calibration';
import {
  LiveIterations,
  type LiveStream,
  type WatchedProgram,
} from '../../measurement/results/live/liveIterations';
import type { JobObserver, ObservedProcess } from '../online/watchedJob';
import type { LiveIterationCount } from '../../core/views/liveRun';
import { LiveIterationsFile } from './liveIterationsFile';

/** A process that is so far ahead of others is not read until they follow: it drops samples then, and runs on. */
const mostWaiting = 1 << 15;

interface Sending {
  readonly process: ObservedProcess;
  readonly stream: LiveStream;
  isPaused: boolean;
  /** The process has said so itself. */
  hasEnded: boolean;
}

/** The iterations of a run that is under way: what its processes send is merged, and kept in a file. */
export class WatchedIterations implements JobObserver {
  private readonly live: LiveIterations;
  private readonly sending = new Map<string, Sending>();
  /** Processes that were lost within their iterations: those of the others alone would look shorter than they are, so that none is taken until they are back. */
  private readonly lost = new Map<string, LiveStream>();
  private file: LiveIterationsFile | undefined;
  private readonly names = new Map<string, NamedRegion>();
  /** Of all processes, those that have ended too. */
  private readonly results: ObservedProcess['result'][] = [];
  private before = { count: 0, seconds: 0 };

  /** @param folder for `iterations.kymo` */
  constructor(
    program: WatchedProgram,
    private readonly folder: string,
  ) {
    this.live = new LiveIterations(program);
  }

  began(process: ObservedProcess): (message: ControlMessage) => void {
    const { name, result, connection } = process;
    const { pid, host } = result.process;
    const stream = this.live.begin(() => result.process.rank, `Process ${pid} on ${host}`);
    const sending: Sending = { process, stream, isPaused: false, hasEnded: false };
    this.sending.set(name, sending);
    this.results.push(result);
    this.lost.get(name)?.end();
    this.lost.delete(name);
    // A process that has ended, or has no iterations, sends none.
    connection.ask({ kind: 'iterations', on: true }).catch(ignoreKymo);
    return (message) => {
      if (message.kind === 'end') sending.hasEnded = true;
      // From now on its clocks stand still.
      else if (message.kind === 'suspended') connection.state().catch(ignoreKymo);
      else if (message.kind === 'nodes') stream.define(message.first, message.nodes);
      else if (message.kind === 'iteration') {
        const {
          namedRegions: regions,
          process: { ticksPerSecond },
        } = result;
        stream.add(message, { regions, ticksPerSecond });
        this.balance(sending, stream.waiting > mostWaiting);
      }
    };
  }

  ended(name: string): void {
    const sending = this.sending.get(name);
    if (sending?.hasEnded === false && sending.stream.hasBegun) this.lost.set(name, sending.stream);
    else sending?.stream.end();
    this.sending.delete(name);
  }

  /**
   * Takes what has arrived, and writes it when there is enough.
   * @param seconds since the run began
   * @param isLast writes all
   * @returns undefined while no process has an iteration
   * @throws KymoError `write-failed`, `disk-full`
   */
  async take(seconds: number, isLast = false): Promise<LiveIterationCount | undefined> {
    const samples = this.live.take();
    for (const sending of this.sending.values())
      if (sending.stream.waiting === 0) this.balance(sending, false);
    const { directory } = this.live;
    if (directory === undefined) return undefined;
    this.file ??= new LiveIterationsFile(this.folder);
    this.file.add(samples);
    if (this.file.isDue || (isLast && this.file.written < this.file.count))
      this.file.write({
        ...directory,
        regions: await this.named(directory.regions),
        pairSeconds: leastPairSeconds(calibrationOf(this.results.map(({ process }) => process))),
        notes: this.notes(seconds, directory.regions),
      });
    const { count, written } = this.file;
    const { before } = this;
    this.before = { count, seconds };
    return {
      phase: directory.phase,
      count,
      written,
      ...(count > before.count ? { seconds: (seconds - before.seconds) / (count - before.count) } : {}),
    };
  }

  close(): void {
    this.file?.close();
  }

  /** Constructs of OpenMP have names by addresses, until these are looked up. */
  private async named(regions: readonly SeriesRegion[]): Promise<readonly SeriesRegion[]> {
    for (const result of this.results) {
      const fresh = result.namedRegions.filter(({ name }) => !this.names.has(name));
      const [found] = await withConstructNames([{ regions: fresh }]);
      found?.regions.forEach((region, i) => this.names.set(fresh[i]?.name ?? '', region));
    }
    return regions.map((region) => {
      const found = this.names.get(region.name);
      if (found === undefined || found.name === region.name) return region;
      return { ...region, name: found.name, ...present({ file: found.file, line: found.line }) };
    });
  }

  private notes(seconds: number, regions: readonly SeriesRegion[]): readonly string[] {
    const { before, lost, otherPhases } = this.live;
    const others = [...otherPhases].map((name) => `“${name}”`).join(', ');
    return [
      `The program was still running: these are the iterations of its first ${seconds.toFixed(1)} s.`,
      ...(others === '' ? [] : [`There are several phases; these are not the iterations of ${others}.`]),
      ...(before === 0
        ? []
        : [
            `The first ${before} iterations of the run are missing here: numbers are so many less than in its result.`,
          ]),
      ...(regions.some(({ kind }) => kind === 'mpi')
        ? ['How much of their time calls of MPI waited for other ranks is known when the run is over.']
        : []),
      ...(lost === 0 ? [] : [`${lost} more iterations are missing here, which no process sent in time.`]),
    ];
  }

  private balance(sending: Sending, isPaused: boolean): void {
    if (sending.isPaused === isPaused) return;
    sending.isPaused = isPaused;
    sending.process.connection.pause(isPaused);
  }
}

function ignoreKymo(error: unknown): void {
  if (!isKymoError(error)) throw error;
}
