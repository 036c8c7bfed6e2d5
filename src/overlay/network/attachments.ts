import type { Member } from '../control/configuration';
import type { Address } from '../members/surroundings';
import type { Invitation } from './starting';

/**
 * Invitations for back ends that others start: spread evenly over the leaves of the tree of inner processes, or over the front end when
 * there are none (specification §2.9; MRNet's sample gives the rest to the last leaf).
 */
export class Attachments {
  /** Children that each leaf has, or is about to get. */
  private readonly expected = new Map<number, number>();

  constructor(
    private readonly invitation: Omit<Invitation, 'rank' | 'host' | 'parent'>,
    private nextRank: number,
    private readonly members: () => readonly Member[],
  ) {}

  invite(host: string): Invitation {
    const leaves = this.leaves();
    const {
      rank,
      host: parentHost,
      port,
    } = leaves.reduce((best, leaf) => (this.load(leaf.rank) < this.load(best.rank) ? leaf : best));
    this.expected.set(rank, this.load(rank) + 1);
    return {
      ...this.invitation,
      rank: this.nextRank++,
      host,
      parent: { rank, host: parentHost, port },
    };
  }

  private load(leaf: number): number {
    const children = this.members().filter(
      ({ parent, role }) => parent === leaf && role === 'back-end',
    ).length;
    return Math.max(children, this.expected.get(leaf) ?? 0);
  }

  /** Inner processes without inner processes below them. */
  private leaves(): readonly [Address, ...Address[]] {
    const inner = this.members().filter(({ role, state }) => role === 'inner' && state === 'up');
    const parents = new Set(inner.map(({ parent }) => parent));
    const [first, ...others] = inner.filter(({ rank }) => !parents.has(rank)).sort((a, b) => a.rank - b.rank);
    return first === undefined ? [this.invitation.root] : [first, ...others];
  }
}
