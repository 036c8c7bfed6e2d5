import type { CodeNames } from '../../../core/diagnosis/live/codeTree';
import type { StackSample } from '../../../core/diagnosis/deepStart/functionCountGraph';
import { isKymoError } from '../../../core/errors';
import type { CallGraph } from '../../../core/callgraph/callGraph';
import type { ControlMessage } from '../../../formats/control/messages';
import { sampledProgram, StackSampler } from '../../online/stackSampler';
import type { JobObserver, ObservedProcess } from '../../online/watchedJob';

/** Ten samples per second of each thread that computes. */
const intervalMicroseconds = 100_000;
/** Samples that wait until somebody takes them; the oldest are dropped. */
const mostWaiting = 10_000;

interface Watched {
  readonly process: ObservedProcess;
  readonly sampler: StackSampler;
}

/** Stack samples of the processes of a run, once somebody wants them, as Deep Start takes them. */
export class JobStacks implements JobObserver {
  private readonly watched = new Map<string, Watched>();
  private readonly program: ReturnType<typeof sampledProgram>;
  private names: Pick<CodeNames, 'pathOf'> | undefined;
  private samples: StackSample[] = [];
  private refusal: string | undefined;

  constructor(graph: CallGraph) {
    this.program = sampledProgram(graph);
  }

  began(process: ObservedProcess): (message: ControlMessage) => void {
    const sampler = new StackSampler(process.connection, this.program);
    const watched = { process, sampler };
    this.watched.set(process.name, watched);
    if (this.names !== undefined) void this.start(watched);
    return (message) => sampler.take(message);
  }

  ended(name: string): void {
    this.watched.delete(name);
  }

  /** Samples come from now on. @param names of functions that experiments may name: others are left out of samples */
  async begin(names: Pick<CodeNames, 'pathOf'>): Promise<void> {
    this.names = names;
    await Promise.all([...this.watched.values()].map((watched) => this.start(watched)));
  }

  /** Those since the last call. */
  take(): readonly StackSample[] {
    const { samples } = this;
    this.samples = [];
    return samples;
  }

  /** Why a process cannot be sampled; undefined: all can. */
  get whyNot(): string | undefined {
    return this.refusal;
  }

  async end(): Promise<void> {
    await Promise.all([...this.watched.values()].map(({ sampler }) => sampler.stop().catch(ignoreKymo)));
  }

  private async start({ process: { result }, sampler }: Watched): Promise<void> {
    try {
      await sampler.start(intervalMicroseconds, ({ threads }) => {
        const { host, rank } = result.process;
        for (const { functions } of threads) {
          const known = functions.flatMap(({ key }) => {
            const path = key === undefined ? undefined : this.names?.pathOf(key);
            return path === undefined ? [] : [path];
          });
          if (known.length > 0) this.samples.push({ machine: [host, `rank ${rank}`], functions: known });
        }
        this.samples.splice(0, this.samples.length - mostWaiting);
      });
    } catch (error) {
      if (!isKymoError(error)) throw error;
      if (error.reason !== 'process-ended') this.refusal ??= error.message;
    }
  }
}

function ignoreKymo(error: unknown): void {
  if (!isKymoError(error)) throw error;
}
