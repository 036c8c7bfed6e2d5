import { getOrMake } from '../../getOrMake';
import { shareOf } from '../../functions/share';

/** Visits that a process counted in an interval. */
export interface CountedVisits {
  /** By key, also of functions that were recorded earlier only. */
  readonly visits: ReadonlyMap<string, number>;
  /** Whether a function was recorded all the time, by its key: how often another one is called is not known. */
  readonly isRecorded: (key: string) => boolean;
  /** Processor time of the process meanwhile, without that of recording; seconds. */
  readonly seconds: number;
}

interface Rate {
  visits: number;
  seconds: number;
}

/** A function that was never seen costs so much until it is: it is called rarely, or began to be called. */
const unknownCost = 0.001;

/** How often processes call functions: what recording them will cost. Of several processes, the one that calls most. */
export class CallRates {
  private readonly rates = new Map<string, Map<string, Rate>>();

  /** @param process names the process */
  add(process: string, { visits, isRecorded, seconds }: CountedVisits): void {
    if (!(seconds > 0)) return;
    for (const [key, count] of visits) {
      if (!isRecorded(key)) continue;
      const byProcess = getOrMake(this.rates, key, () => new Map<string, Rate>());
      const rate = getOrMake(byProcess, process, () => ({ visits: 0, seconds: 0 }));
      rate.visits += count;
      rate.seconds += seconds;
    }
  }

  /** Share (0…1) of the processor time that recording takes. @param pairSeconds cost of a visit */
  cost(key: string, pairSeconds: number): number {
    const known = this.rates.get(key);
    if (known === undefined) return unknownCost;
    const most = Math.max(...[...known.values()].map(({ visits, seconds }) => visits / seconds));
    return shareOf(most * pairSeconds, { seconds: 1 + most * pairSeconds });
  }
}
