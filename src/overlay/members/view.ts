import type { Configuration, Member } from '../control/configuration';

/** The tree of an epoch, seen from one process. */
export class View {
  private readonly members: ReadonlyMap<number, Member>;
  /** The child of this process that a rank is below of, or is; −1: none. */
  private readonly ways = new Map<number, number>();

  constructor(
    { members }: Configuration,
    private readonly self: number,
  ) {
    this.members = new Map(members.map((member) => [member.rank, member]));
  }

  member(rank: number): Member | undefined {
    return this.members.get(rank);
  }

  all(): Iterable<Member> {
    return this.members.values();
  }

  /** The children of this process, those that are awaited too. */
  children(): readonly Member[] {
    return [...this.members.values()].filter(
      ({ rank, parent }) => parent === this.self && rank !== this.self,
    );
  }

  /** Back ends of a stream by the child that leads to them, in the order of the children. */
  childrenTowards(ranges: readonly (readonly [number, number])[]): ReadonlyMap<number, number> {
    const counts = new Map<number, number>();
    for (const { rank, role } of this.members.values()) {
      if (role !== 'back-end' || !ranges.some(([first, last]) => first <= rank && rank <= last)) continue;
      const child = this.way(rank);
      if (child >= 0) counts.set(child, (counts.get(child) ?? 0) + 1);
    }
    return new Map([...counts].sort(([a], [b]) => a - b));
  }

  /** Whether `rank` is below of `ancestor`, or is it. */
  isWithin(rank: number, ancestor: number): boolean {
    // A parent is looked up at most once per process: whatever the tree says, this ends.
    for (let steps = this.members.size; steps >= 0; steps--) {
      if (rank === ancestor) return true;
      const parent = this.members.get(rank)?.parent;
      if (parent === undefined || parent === rank) return false;
      rank = parent;
    }
    return false;
  }

  /** The child of this process that a rank is below of, or is; −1: none. */
  way(rank: number): number {
    const path: number[] = [];
    let child = -1;
    for (let step = rank; path.length <= this.members.size;) {
      const known = this.ways.get(step);
      const parent = this.members.get(step)?.parent;
      if (known !== undefined) child = known;
      else if (parent === this.self) child = step;
      else if (parent !== undefined && parent !== step) {
        path.push(step);
        step = parent;
        continue;
      }
      break;
    }
    for (const step of [...path, rank]) this.ways.set(step, child);
    return child;
  }
}
