import { frameKinds, jsonFrame } from '../packets/frame';
import { isKymoError } from '../../core/errors';
import { SkewLinks, type RankSkew, type SkewAnswer } from '../services/clockSkew';
import type { Link } from './surroundings';

/** Clocks drift: after so many rounds, older answers count no more. */
const roundsOfMeasurement = 60;

/** The clocks of what is below a process, as it has measured those of its children and they those of theirs. */
export class ChildClocks {
  private readonly links = new SkewLinks([]);
  private readonly known = new Map<number, RankSkew>();
  private round = 0;

  /** @param now seconds of the own clock */
  constructor(private readonly now: () => number) {}

  join(child: number): void {
    this.links.join(child);
  }

  leave(child: number): void {
    this.links.leave(child);
  }

  /** Asks all children, each when it is its turn: a probe to one is not late because of another. */
  probe(children: ReadonlyMap<number, Link>): void {
    const id = ++this.round;
    if (id % roundsOfMeasurement === 0) this.links.renew();
    this.links.probe(id, this.now());
    const bytes = jsonFrame(frameKinds.control, { kind: 'probe', id });
    for (const link of children.values()) link.send(bytes);
  }

  answered(child: number, answer: SkewAnswer): void {
    this.links.push(child, answer, this.now());
    this.learn(child, [{ rank: child, skew: 0, uncertainty: 0 }]);
  }

  /** What a child says of those below it. */
  learn(child: number, rows: readonly RankSkew[]): void {
    try {
      for (const row of this.links.accumulate(child, rows)) this.known.set(row.rank, row);
    } catch (error) {
      // They come again when the child's own clock is known.
      if (!isKymoError(error) || error.reason !== 'no-estimate') throw error;
    }
  }

  of(rank: number): RankSkew | undefined {
    return this.known.get(rank);
  }

  /** What is new since the last time. */
  take(): readonly RankSkew[] {
    const rows = [...this.known.values()];
    this.known.clear();
    return rows;
  }
}
