import type { Member } from '../control/configuration';
import type { Hello } from '../control/messages';
import type { OverlayEvent } from '../events';
import type { After } from '../streams/synchronisation';

export interface MembershipHooks {
  /** Something changed: a new epoch is needed. */
  changed(): void;
  event(event: OverlayEvent): void;
}

/** The tree as the front end knows it, from what processes report of their children. */
export class Membership {
  private readonly members = new Map<number, Member>();
  /** Processes that were there and are not any more. */
  readonly gone = new Map<number, Member & { readonly how: 'lost' | 'left' }>();

  constructor(
    private readonly root: Member,
    private readonly orphanMilliseconds: number,
    private readonly after: After,
    private readonly hooks: MembershipHooks,
  ) {
    this.members.set(root.rank, root);
  }

  all(): readonly Member[] {
    return [...this.members.values()];
  }

  get(rank: number): Member | undefined {
    return this.members.get(rank);
  }

  /** Processes on the way from these back ends to the front end. */
  waysFrom(backEnds: readonly Member[]): ReadonlySet<number> {
    const ways = new Set<number>();
    for (const { parent } of backEnds)
      for (let step = parent; !ways.has(step); step = this.members.get(step)?.parent ?? step) ways.add(step);
    return ways;
  }

  /**
   * Who takes over what a process held: itself or, when it is gone or no packets come to it any more, the nearest process above it that
   * is on one of `ways`; at last the front end.
   */
  heirOf(rank: number, ways: ReadonlySet<number>): number {
    for (let heir = rank; ;) {
      const member = this.members.get(heir) ?? this.gone.get(heir);
      if (member === undefined || member.parent === heir) return this.root.rank;
      if (ways.has(heir) && this.members.has(heir)) return heir;
      heir = member.parent;
    }
  }

  /** @param epoch the one in which the child takes part first */
  joined(parent: number, child: Hello, epoch: number): void {
    const old = this.members.get(child.rank);
    if (!this.members.has(parent) || this.isWithin(parent, child.rank)) return;
    if (old !== undefined && this.isOutdated(old, parent, child.attempt)) return;
    const { rank, role, host, port, attempt } = child;
    this.gone.delete(rank);
    this.members.set(rank, {
      rank,
      role,
      host,
      port,
      attempt,
      parent,
      state: 'up',
      since: old?.since ?? epoch,
    });
    for (const [claimed, claimedAttempt] of child.children) this.claim(claimed, claimedAttempt, rank);
    this.hooks.event(
      old === undefined ? { kind: 'joined', rank, role, host, parent } : { kind: 'adopted', rank, parent },
    );
    this.hooks.changed();
  }

  /** What a process says of its child that is not connected any more. */
  lost(parent: number, rank: number, attempt: number, how: 'ended' | 'moved' | 'left'): void {
    const member = this.members.get(rank);
    if (member?.state !== 'up' || member.parent !== parent || attempt < member.attempt) return;
    if (how === 'moved') this.await(member, parent);
    else this.remove(member, how === 'left' ? 'left' : 'lost');
    this.hooks.changed();
  }

  private isOutdated(old: Member, parent: number, attempt: number): boolean {
    if (attempt !== old.attempt) return attempt < old.attempt;
    return old.state === 'up' && old.parent === parent;
  }

  /** A process that was taken for lost is back with children that never left it. */
  private claim(rank: number, attempt: number, parent: number): void {
    const member = this.members.get(rank);
    if (member === undefined || attempt < member.attempt || this.isWithin(parent, rank)) return;
    this.members.set(rank, { ...member, parent, state: 'up' });
  }

  private remove(member: Member, how: 'lost' | 'left'): void {
    const { rank, role, host, parent } = member;
    this.members.delete(rank);
    this.gone.set(rank, { ...member, how });
    this.hooks.event(how === 'left' ? { kind: 'left', rank } : { kind: 'lost', rank, role, host });
    // Nobody goes on without the packets of its children: the nearest living process above waits for them.
    for (const child of this.members.values()) if (child.parent === rank) this.await(child, parent);
  }

  private await(member: Member, parent: number): void {
    const awaited: Member = { ...member, parent, state: 'awaited' };
    this.members.set(member.rank, awaited);
    if (member.state === 'awaited') return;
    this.after(this.orphanMilliseconds, () => {
      const now = this.members.get(member.rank);
      if (now?.state !== 'awaited' || now.attempt !== member.attempt) return;
      this.remove(now, 'lost');
      this.hooks.changed();
    });
  }

  private isWithin(rank: number, ancestor: number): boolean {
    for (
      let step: number | undefined = rank, steps = this.members.size;
      step !== undefined && steps >= 0;
      steps--
    ) {
      if (step === ancestor) return true;
      const parent: number | undefined = this.members.get(step)?.parent;
      step = parent === step ? undefined : parent;
    }
    return false;
  }
}
