import { isKymoError } from '../../core/errors';
import { present } from '../../core/present';
import type { SeriesRegion } from '../../core/series/series';
import type { ControlMessage } from '../../formats/control/messages';
import type { NamedRegion } from '../../formats/kymo-result/resultFile';
import { withConstructNames } from '../../measurement/layers/constructNames';
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
}

/** The iterations of a run that is under way: what its processes send is merged, and kept in a file. */
export class WatchedIterations implements JobObserver {
  private readonly live: LiveIterations;
  private readonly sending = new Map<string, Sending>();
  private file: LiveIterationsFile | undefined;
  private readonly names = new Map<string, NamedRegion>();
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
    const sending: Sending = { process, stream, isPaused: false };
    this.sending.set(name, sending);
    // A process that has ended, or has no iterations, sends none.
    connection.ask({ kind: 'iterations', on: true }).catch(ignoreKymo);
    return (message) => {
      // From now on its clocks stand still.
      if (message.kind === 'suspended') connection.state().catch(ignoreKymo);
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
    this.sending.get(name)?.stream.end();
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
        notes: this.notes(seconds),
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
    for (const { process } of this.sending.values()) {
      const fresh = process.result.namedRegions.filter(({ name }) => !this.names.has(name));
      const [found] = await withConstructNames([{ regions: fresh }]);
      found?.regions.forEach((region, i) => this.names.set(fresh[i]?.name ?? '', region));
    }
    return regions.map((region) => {
      const found = this.names.get(region.name);
      if (found === undefined || found.name === region.name) return region;
      return { ...region, name: found.name, ...present({ file: found.file, line: found.line }) };
    });
  }

  private notes(seconds: number): readonly string[] {
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
