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

/** More CPU time than that part of the wall time: several threads or processes compute at the same time. */
const oneProcessor = 1.1;
/** A first run also makes file systems note that its program and its input were read. What writes no more than that is looked at once more. */
const notedBytes = 1 << 16;
/** Both runs together may take that part of the memory that is free. */
const memoryShare = 0.5;

/**
 * Whether a run with and one without recording may go at the same time, in turns of milliseconds on one processor. Whatever makes the machine slow
 * (other programs, a neighbour on the same core, the host of a virtual machine) then meets both alike: their ratio varies by about 1 %, that of runs one
 * after the other by 10 % and more. It is safe for programs that leave no trace, and tells nothing of those that use several processors.
 */
export class Together {
  /** Undefined: no run alone has been seen yet. */
  private allowed: boolean | undefined;
  private writes = false;
  private looks = 0;
  private readonly processors: readonly number[];

  constructor(private readonly run: Pick<Target['run'], 'together' | 'launcher'>) {
    this.processors = allowedProcessors();
    if (run.together === false || run.launcher.kind !== 'local' || this.processors.length === 0)
      this.allowed = false;
  }

  /** Facts from a run with nothing recorded and nothing beside it. */
  learn({ wallSeconds, cpuSeconds = Infinity, memoryBytes = Infinity, writtenBytes = 0 }: RunFacts): void {
    if (this.allowed !== undefined) return;
    this.looks++;
    if (this.looks === 1 && writtenBytes > 0 && writtenBytes <= notedBytes) return;
    const fits = cpuSeconds <= oneProcessor * wallSeconds && 2 * memoryBytes <= memoryShare * freemem();
    this.writes = fits && writtenBytes > 0 && this.run.together !== true;
    this.allowed = fits && !this.writes;
  }

  /** Something showed that it must not be. */
  forbid(): void {
    this.allowed = false;
  }

  /** The processor for the next two runs; undefined: one goes after the other. */
  processor(turn: number): number | undefined {
    return this.allowed === true ? this.processors[turn % this.processors.length] : undefined;
  }

  /** What to do where that would have told what could not be told. @param noisePercent of the overhead; undefined: unknown */
  advice(noisePercent: number | undefined, targetPercent: number): readonly string[] {
    if (!this.writes || (noisePercent ?? 0) <= targetPercent) return [];
    return [
      `Overheads are known to ${formatPercent((noisePercent ?? 0) / 100)} only. The program writes files, so its runs went one after the other; if it may run twice at the same time in its folder, set "together": true in "run" of kymo.json: then both take turns on one processor, which tells overheads to a percent or two.`,
    ];
  }
}
