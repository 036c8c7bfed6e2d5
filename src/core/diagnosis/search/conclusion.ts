import type { Hypothesis } from '../hypotheses/hypothesis';

export interface ConclusionRule {
  /** Relative distance from the threshold that a value needs in order to change what is assumed: 0.05. */
  readonly hysteresis: number;
  /** Seconds for which the values have to agree. */
  readonly minTimeToTrue: number;
  readonly minTimeToFalse: number;
  /** The same for what was true, which a disturbance of the machine should not make false, as it is not measured any more then; absent: `minTimeToFalse`. */
  readonly minTimeFromTrue?: number;
}

/** When a hypothesis is taken for true or false: only after its values have agreed for a while (Roth 2005, chapter 3; constants as in Paradyn). */
export class Conclusion {
  private guess: boolean | undefined;
  private agreeing = 0;
  private wasTrue = false;

  /**
   * @param seconds for which the metric had `value`
   * @returns what the values say now; undefined while they have not agreed for long enough
   */
  take(
    value: number,
    seconds: number,
    { holds, threshold }: Pick<Hypothesis, 'holds' | 'threshold'>,
    { hysteresis, minTimeToTrue, minTimeToFalse, minTimeFromTrue = minTimeToFalse }: ConclusionRule,
  ): boolean | undefined {
    const side = (this.guess === true) === (holds === 'above') ? 1 - hysteresis : 1 + hysteresis;
    const guess = holds === 'above' ? value > threshold * side : value < threshold * side;
    this.agreeing = guess === this.guess ? this.agreeing + seconds : seconds;
    this.guess = guess;
    // Sums of many short intervals may miss the time by a rounding error.
    const toFalse = this.wasTrue ? minTimeFromTrue : minTimeToFalse;
    if (this.agreeing < (guess ? minTimeToTrue : toFalse) * (1 - 1e-9)) return undefined;
    this.wasTrue = guess;
    return guess;
  }

  /** What was measured before does not count any more. */
  restart(): void {
    this.guess = undefined;
    this.agreeing = 0;
    this.wasTrue = false;
  }
}
