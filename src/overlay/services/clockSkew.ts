import { ServiceError, stateOf } from './serviceError';

/** What measures clocks; the times are seconds of the sender's clock. */
export interface SkewProbe {
  readonly id: number;
  readonly sent: number;
}

/** What a child answers: seconds of its own clock. */
export interface SkewAnswer {
  readonly id: number;
  /** When the probe arrived. */
  readonly received: number;
  /** When the answer was sent. */
  readonly answered: number;
}

/** How much later the clock of the front end (or of the parent) is than that of a process, in seconds. */
export interface RankSkew {
  readonly rank: number;
  readonly skew: number;
  /** Largest possible error: half the round trip, summed over the links. */
  readonly uncertainty: number;
}

interface LinkEstimate {
  readonly skew: number;
  readonly roundTrip: number;
  readonly measurement: number;
}

interface Round {
  readonly sent: number;
  readonly missing: Set<number>;
}

/**
 * The clocks of the children of one process (Roth 2005, section 4.3.1).
 *
 * In repeated rounds a process sends a probe to its children, which answer at once with two time stamps. Of all answers of a child, the one with
 * the shortest round trip counts: its error is at most half of it. The published filter takes the smallest skew instead, which is
 * biased where clocks really differ; and it takes one arrival time for all children, which adds half of what a child waited for the
 * slowest one. Here the arrival is an argument for each answer. The skew of each process, 0 for itself, goes up, and each process
 * on the way adds the skew of the link.
 */
export class SkewLinks {
  private readonly links: Map<number, { estimate: LinkEstimate | undefined }>;
  private readonly rounds = new Map<number, Round>();
  private measurement = 0;

  constructor(children: readonly number[]) {
    this.links = new Map(children.map((child) => [child, { estimate: undefined }]));
  }

  /**
   * Starts a round.
   *
   * @param now when the probe leaves, read as late as possible
   */
  probe(id: number, now: number): SkewProbe {
    check(now);
    this.rounds.set(id, { sent: now, missing: new Set(this.links.keys()) });
    // Rounds that are never completed would pile up.
    for (const old of this.rounds.keys()) {
      if (this.rounds.size <= mostRounds) break;
      this.rounds.delete(old);
    }
    return { id, sent: now };
  }

  /**
   * Takes an answer. Of rounds that are not known (any more), it is ignored.
   *
   * @param arrival when this answer arrived, whatever its siblings do
   * @throws ServiceError `unknown-child`, `bad-time`
   */
  push(child: number, answer: SkewAnswer, arrival: number): void {
    const link = stateOf(this.links, child);
    check(answer.received, answer.answered, arrival);
    const round = this.rounds.get(answer.id);
    if (round?.missing.delete(child) !== true) return;
    const roundTrip = arrival - round.sent - (answer.answered - answer.received);
    // A clock was set meanwhile.
    if (roundTrip >= 0) {
      const skew = arrival - (answer.answered + roundTrip / 2);
      const best = link.estimate;
      if (best?.measurement !== this.measurement || roundTrip < best.roundTrip)
        link.estimate = { skew, roundTrip, measurement: this.measurement };
    }
    if (round.missing.size === 0) this.rounds.delete(answer.id);
  }

  /** Clocks drift: from now on, new answers replace the estimates, however long their round trips are. */
  renew(): void {
    this.measurement++;
  }

  join(child: number): void {
    this.links.set(child, { estimate: undefined });
  }

  leave(child: number): void {
    this.links.delete(child);
    for (const { missing } of this.rounds.values()) missing.delete(child);
  }

  /**
   * Adds the skew of the link over which skews came: they are then relative to the clock of this process.
   *
   * @throws ServiceError `no-estimate`
   */
  accumulate(child: number, skews: readonly RankSkew[]): readonly RankSkew[] {
    const { estimate } = stateOf(this.links, child);
    if (estimate === undefined)
      throw new ServiceError('no-estimate', `The clock of rank ${child} was not measured yet.`);
    return skews.map(({ rank, skew, uncertainty }) => ({
      rank,
      skew: skew + estimate.skew,
      uncertainty: uncertainty + estimate.roundTrip / 2,
    }));
  }
}

const mostRounds = 64;

function check(...times: readonly number[]): void {
  const wrong = times.find((time) => !Number.isFinite(time));
  if (wrong !== undefined) throw new ServiceError('bad-time', `${wrong} is not a time.`);
}
