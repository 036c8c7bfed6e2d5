import { freemem } from 'node:os';
import { formatPercent } from '../../../core/format';
import { allowedProcessors } from '../../../measurement/launch/processors';
import type { Target } from '../../../measurement/config/config';
import type { RunTime } from '../../../core/cost/runTime';

/** Facts about the program from a run that was alone. */
export interface RunFacts extends RunTime {
  readonly memoryBytes?: number | undefined;
  readonly writtenBytes?: number | undefined;
}

/** A larger ratio of CPU time to wall time means that several threads or processes compute simultaneously. */
const oneProcessor = 1.1;
/** A first run also updates access times in the file system. A run that writes no more than this number of bytes is checked once more. */
const notedBytes = 1 << 16;
/** Maximum share of the free memory for both runs together. */
const memoryShare = 0.5;

/**
 * Whether a run with and one without recording may be simultaneous, in turns of milliseconds on one processor. Any disturbance of the machine
 * (other programs, a neighbour on the same core, the host of a virtual machine) then affects both alike: their ratio varies by about 1 %, that
 * of consecutive runs by 10 % and more. This is safe for programs without persistent output, and not applicable to those that use several
 * processors.
 */
export class Together {
  /** Undefined before the first run alone. */
  private allowed: boolean | undefined;
  private writes = false;
  private looks = 0;
  private readonly processors: readonly number[];

  constructor(private readonly run: Pick<Target['run'], 'together' | 'launcher'>) {
    this.processors = allowedProcessors();
    if (run.together === false || run.launcher.kind !== 'local' || this.processors.length === 0)
      this.allowed = false;
  }

  /** Evaluates a run without recording and without a simultaneous run. */
  learn({ wallSeconds, cpuSeconds = Infinity, memoryBytes = Infinity, writtenBytes = 0 }: RunFacts): void {
    if (this.allowed !== undefined) return;
    this.looks++;
    if (this.looks === 1 && writtenBytes > 0 && writtenBytes <= notedBytes) return;
    const fits = cpuSeconds <= oneProcessor * wallSeconds && 2 * memoryBytes <= memoryShare * freemem();
    this.writes = fits && writtenBytes > 0 && this.run.together !== true;
    this.allowed = fits && !this.writes;
  }

  /** Forbids simultaneous runs. */
  forbid(): void {
    this.allowed = false;
  }

  /** The processor for the next two runs; undefined: run them one after the other. */
  processor(turn: number): number | undefined {
    return this.allowed === true ? this.processors[turn % this.processors.length] : undefined;
  }

  /** Advice for results that simultaneous runs would have made significant. @param noisePercent noise of the overhead; undefined: unknown */
  advice(noisePercent: number | undefined, targetPercent: number): readonly string[] {
    if (!this.writes || (noisePercent ?? 0) <= targetPercent) return [];
    return [
      `Overheads are known to ${formatPercent((noisePercent ?? 0) / 100)} only. The program writes files, so its runs went one after the other; if it may run twice at the same time in its folder, set "together": true in "run" of kymo.json: then both take turns on one processor, which determines overheads to one or two percent.`,
    ];
  }
}
