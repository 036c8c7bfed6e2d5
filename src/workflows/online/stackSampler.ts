import type { CallGraph } from '../../core/callgraph/callGraph';
import { isKymoError } from '../../core/errors';
import type { CallStackSample } from '../../formats/control/callStacks';
import type { ControlMessage } from '../../formats/control/messages';
import { GraphIndex } from '../../measurement/symbols/graphIndex';
import { ObjectCodes } from '../../measurement/symbols/stacks/objectCode';
import { ProcessCode, type ThreadFunctions } from '../../measurement/symbols/stacks/processCode';
import type { ProcessLink } from '../../overlay/agent/processLink';
import { unlessEnded } from './unlessEnded';

/** The functions in which the threads of a process were at a moment. Threads that waited are not in it. */
export interface StackSample {
  /** Of the process's timer. */
  readonly tick: bigint;
  readonly threads: readonly ThreadFunctions[];
  /** Threads that ran and could not be asked. */
  readonly missing: number;
}

/** What the samplers of all processes of a run share. */
export interface SampledProgram {
  readonly graph: GraphIndex;
  readonly objects: ObjectCodes;
}

export function sampledProgram(graph: CallGraph): SampledProgram {
  return { graph: new GraphIndex(graph), objects: new ObjectCodes() };
}

/**
 * Call stacks of a process that runs, with all its functions, whether Kymo records them or not. The listener of the process's connection hands over each
 * message (`take`).
 */
export class StackSampler {
  private code: ProcessCode | undefined;
  private work: Promise<void> = Promise.resolve();
  private waiting = 0;
  private onSample: ((sample: StackSample) => void) | undefined;
  private skipped = 0;
  private ended: string | undefined;

  constructor(
    private readonly connection: Pick<ProcessLink, 'ask'>,
    private readonly program: SampledProgram,
  ) {}

  /**
   * Begins to sample. Each sample that comes while earlier ones are still being read is left out.
   * @param onSample may not throw
   * @throws KymoError `process-ended`, `request-refused` when the process cannot be sampled; the message says why
   */
  async start(intervalMicroseconds: number, onSample: (sample: StackSample) => void): Promise<void> {
    this.onSample = onSample;
    await this.connection.ask({ kind: 'callStacks', intervalMicroseconds });
  }

  /** No sample comes after that. A process that has ended is no problem. */
  async stop(): Promise<void> {
    this.onSample = undefined;
    await this.connection.ask({ kind: 'callStacks', intervalMicroseconds: 0 }).catch(unlessEnded);
    await this.work;
  }

  /** Samples that were left out here, as reading them took longer than their interval. */
  get samplesLeftOut(): number {
    return this.skipped;
  }

  /** Why no more samples come, although nobody has stopped them. */
  get endedBecause(): string | undefined {
    return this.ended;
  }

  /** What runs now. @throws KymoError `process-ended`, `request-refused` */
  async now(): Promise<StackSample> {
    const answer = await this.connection.ask({ kind: 'callStacksNow' });
    if (answer.kind !== 'callStacks') throw new TypeError(`callStacksNow was answered with ${answer.kind}`);
    return this.read(answer);
  }

  take(message: ControlMessage): void {
    // Those with a serial number are answers to `now`.
    if (message.kind !== 'callStacks' || message.serial !== 0 || this.onSample === undefined) return;
    if (message.ended !== undefined) {
      this.ended = message.ended;
      return;
    }
    if (this.waiting >= mostWaiting) {
      this.skipped++;
      return;
    }
    this.waiting++;
    this.work = this.work.then(async () => {
      try {
        const sample = await this.read(message);
        this.onSample?.(sample);
      } catch (error) {
        if (!isKymoError(error)) throw error;
      } finally {
        this.waiting--;
      }
    });
  }

  private async read(sample: CallStackSample): Promise<StackSample> {
    const { tick, threads, missing } = sample;
    this.code ??= await this.readCode();
    const first = await this.code.stacks(threads);
    if (!first.hasOtherCode) return { tick, missing, threads: first.threads };
    const fresh = await this.readCode();
    if (fresh.maps !== this.code.maps) this.code = fresh;
    return { tick, missing, threads: (await this.code.stacks(threads)).threads };
  }

  private async readCode(): Promise<ProcessCode> {
    const answer = await this.connection.ask({ kind: 'code' });
    const { graph, objects } = this.program;
    return new ProcessCode(answer.kind === 'code' ? answer.text : '', objects, graph);
  }
}

/** Samples whose reading has not begun. */
const mostWaiting = 4;
