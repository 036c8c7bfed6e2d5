import type { Digest } from '../../core/digest/digest';
import { mergeDigests } from '../../core/digest/mergeDigests';
import { present } from '../../core/present';
import type { SeriesRegion } from '../../core/series/series';
import type { NamedRegion } from '../../formats/kymo-result/resultFile';
import { withConstructNames } from '../../measurement/layers/constructNames';
import type { WatchedProgram } from '../../measurement/results/live/liveIterations';
import { calibrationOf, leastPairSeconds } from '../../measurement/results/calibration';
import { ReducedIterations } from '../../measurement/results/reduced/reducedIterations';
import { costsOfDigest } from '../../measurement/results/reduced/resultsOfDigest';
import { IterationBuffer } from '../agents/iterationBuffer';
import { IterationStreams } from '../online/iterationStreams';
import type { LiveIterationCount } from '../../core/views/liveRun';
import { LiveIterationsFile } from './liveIterationsFile';

/** The iterations of a run that is under way: what its processes send is merged, and kept in a file. */
export class WatchedIterations {
  /** Of the processes that are known one by one. */
  readonly streams: IterationStreams;
  private readonly reduced: ReducedIterations;
  /** Of these processes, for the sums of a reduced run. */
  private readonly own: IterationBuffer;
  private file: LiveIterationsFile | undefined;
  private readonly names = new Map<string, NamedRegion>();
  private before = { count: 0, seconds: 0 };

  /** @param folder for `iterations.kymo` */
  constructor(
    program: WatchedProgram,
    private readonly folder: string,
  ) {
    this.streams = new IterationStreams(program);
    this.reduced = new ReducedIterations(program);
    this.own = new IterationBuffer(this.streams);
  }

  /** Of a reduced run: the first iteration that is wanted next. */
  get next(): number {
    return this.reduced.next;
  }

  /**
   * Takes what has arrived, and writes it when there is enough.
   * @param seconds since the run began
   * @param digest of a reduced run
   * @param isLast writes all
   * @returns undefined while no process has an iteration
   * @throws KymoError `write-failed`, `disk-full`
   */
  async take(
    seconds: number,
    digest: Digest | undefined,
    isLast = false,
  ): Promise<LiveIterationCount | undefined> {
    const samples = digest === undefined ? this.streams.take() : this.reduced.take(this.withOwn(digest));
    const { directory } = digest === undefined ? this.streams.live : this.reduced;
    if (directory === undefined) return undefined;
    this.file ??= new LiveIterationsFile(this.folder);
    this.file.add(samples);
    if (this.file.isDue || (isLast && this.file.written < this.file.count))
      this.file.write({
        ...directory,
        regions: await this.named(directory.regions),
        pairSeconds: leastPairSeconds(
          calibrationOf(digest === undefined ? this.streams.processes : [costsOfDigest(digest)]),
        ),
        notes: this.notes(seconds, directory.regions, digest !== undefined),
      });
    const { count, written } = this.file;
    const { before } = this;
    this.before = { count, seconds };
    return {
      phase: directory.phase,
      count,
      written,
      ...(digest === undefined ? {} : present({ slowest: this.reduced.slowest })),
      ...(count > before.count ? { seconds: (seconds - before.seconds) / (count - before.count) } : {}),
    };
  }

  close(): void {
    this.file?.close();
  }

  private withOwn(digest: Digest): Digest {
    const iterations = this.own.from(this.reduced.next, digest);
    return iterations === undefined
      ? digest
      : mergeDigests([digest, { ...digest, clusters: [], iterations }]);
  }

  /** Constructs of OpenMP have names by addresses, until these are looked up. */
  private async named(regions: readonly SeriesRegion[]): Promise<readonly SeriesRegion[]> {
    const fresh = this.streams.namedRegions.filter(({ name }) => !this.names.has(name));
    const [found] = await withConstructNames([{ regions: fresh }]);
    found?.regions.forEach((region, i) => this.names.set(fresh[i]?.name ?? '', region));
    return regions.map((region) => {
      const found = this.names.get(region.name);
      if (found === undefined || found.name === region.name) return region;
      return { ...region, name: found.name, ...present({ file: found.file, line: found.line }) };
    });
  }

  private notes(seconds: number, regions: readonly SeriesRegion[], isReduced: boolean): readonly string[] {
    const { before, lost } = isReduced ? this.reduced : this.streams.live;
    const others = [...this.streams.live.otherPhases].map((name) => `“${name}”`).join(', ');
    return [
      `The program was still running: these are the iterations of its first ${seconds.toFixed(1)} s.`,
      ...(isReduced
        ? [
            `Values are sums over all ${this.reduced.processes} processes, shown as rank 0, and over all their other threads, shown as thread 1.`,
          ]
        : []),
      ...(others === '' ? [] : [`There are several phases; these are not the iterations of ${others}.`]),
      ...(before === 0
        ? []
        : [
            `The first ${before} iterations of the run are missing here: iteration numbers are smaller by this number than in its result.`,
          ]),
      ...(regions.some(({ kind }) => kind === 'mpi')
        ? ['How much of their time calls of MPI waited for other ranks is known when the run is over.']
        : []),
      ...(lost === 0 ? [] : [`${lost} more iterations are missing here, which no process sent in time.`]),
    ];
  }
}
