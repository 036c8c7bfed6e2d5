import type { LayoutNode, Layout } from '../layout/layout';
import { OverlayError } from '../packets/overlayError';
import { environmentOf } from './starting';
import type { Invitation, StartedProcess, StartProcess } from './starting';

/** Time to end after the network has ended. Inner processes first end those below them. */
const endMilliseconds = { backEnds: 700, inner: 1500 };

/** The processes that a process of the network has started: its children in the layout. */
export class ChildProcesses {
  private readonly running = new Set<StartedProcess>();
  private isEnding = false;
  private patience = endMilliseconds.backEnds;

  constructor(
    private readonly start: StartProcess,
    private readonly invitation: Omit<Invitation, 'rank' | 'host'>,
    private readonly problem: (error: OverlayError) => void,
  ) {}

  /** In the order of the layout; each child starts its own children as soon as it is connected, beside its siblings. */
  startAll({ nodes }: Layout): void {
    for (const rank of nodes[this.invitation.parent.rank]?.children ?? []) {
      const node = nodes[rank];
      if (node === undefined) continue;
      if (node.children.length > 0) this.patience = endMilliseconds.inner;
      this.startOne(node);
    }
  }

  /** Ends are expected from now on; what has not ended in time is ended. Settles when nothing runs any more. */
  async end(): Promise<void> {
    this.isEnding = true;
    const kill = setTimeout(() => {
      for (const child of this.running) child.kill();
    }, this.patience);
    await Promise.all([...this.running].map(({ ended }) => ended));
    clearTimeout(kill);
  }

  /** Ends all at once. */
  kill(): void {
    this.isEnding = true;
    for (const child of this.running) child.kill();
  }

  /** What they do not do by themselves is not expected any more: the network is lost. */
  forget(): void {
    this.isEnding = true;
  }

  private startOne(node: LayoutNode): void {
    try {
      const child = this.start(node, environmentOf({ ...this.invitation, rank: node.rank, host: node.host }));
      this.running.add(child);
      void child.ended.then((how) => {
        this.running.delete(child);
        if (!this.isEnding) this.failed(node, how);
      });
    } catch (error) {
      this.failed(node, error instanceof Error ? error.message : String(error));
    }
  }

  private failed({ rank, host }: LayoutNode, how: string): void {
    this.problem(new OverlayError('start', `The process ${rank} on ${host} has ended: ${how}`));
  }
}
