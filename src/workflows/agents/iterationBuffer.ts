import type { Digest, DigestIterations } from '../../core/digest/digest';
import { IterationSums, type SummedIteration } from '../../measurement/results/reduced/iterationSums';
import type { IterationStreams } from '../online/iterationStreams';

/** Iterations that nobody has asked for by then are lost. */
const mostWaiting = 4096;

/** Iterations of a host that the front end has not taken: it takes those that all hosts have, and asks for the same again until they have. */
export class IterationBuffer {
  private readonly sums: IterationSums;
  private waiting: readonly SummedIteration[] = [];

  constructor(private readonly streams: IterationStreams) {
    this.sums = new IterationSums(streams.live);
  }

  /** @param first that is wanted, from 0; earlier ones are not kept */
  from(first: number, digest: Digest): DigestIterations | undefined {
    const arrived = this.streams.take().map((sample) => this.sums.add(sample));
    this.waiting = [...this.waiting, ...arrived].filter(({ number }) => number >= first).slice(-mostWaiting);
    return this.waiting.length === 0 ? undefined : this.sums.digestOf(this.waiting, digest);
  }
}
