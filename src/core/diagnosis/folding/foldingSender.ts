import { difference, isEmpty, joined, noFolding, noOwners, type Folding } from './folding';

/** `delta`: what has changed since the last time; `full`: the whole graph each time, for comparison. */
export const foldingModes = ['delta', 'full'] as const;
export type FoldingMode = (typeof foldingModes)[number];

/** Changes wait for others, but not longer than this, in seconds, and not more of them. */
const batch = { seconds: 0.2, changes: 64 };

/** What an agent sends of its graph, and when: the first time, and when asked for it, all of it. */
export class FoldingSender {
  private sent = noFolding;
  /** Of all graphs: also what has vanished from the graph is replaced. */
  private owners = noOwners;
  private isWhole = true;
  private changes = 0;
  private firstChange: number | undefined;

  constructor(private readonly mode: FoldingMode) {}

  /** The graph is another one. @param time in seconds, of any clock that does not go back */
  changed(time: number): void {
    this.changes++;
    this.firstChange ??= time;
  }

  /** All of the graph is sent the next time: part of what was sent is lost. @param time as of `changed` */
  sendAll(time: number): void {
    this.isWhole = true;
    this.firstChange ??= time;
  }

  /** When to send, in seconds of the same clock; undefined: nothing has changed. */
  get due(): number | undefined {
    if (this.firstChange === undefined) return undefined;
    return this.changes >= batch.changes ? this.firstChange : this.firstChange + batch.seconds;
  }

  /** What to send now, of the graph as it is; undefined: it is what was sent. */
  take(graph: Folding): Folding | undefined {
    this.changes = 0;
    this.firstChange = undefined;
    this.owners = joined(this.owners, graph.replaced);
    const change = difference(this.sent, graph);
    const { isWhole } = this;
    this.isWhole = false;
    this.sent = graph;
    if (!isWhole && isEmpty(change)) return undefined;
    return isWhole || this.mode === 'full' ? { ...graph, replaced: this.owners } : change;
  }
}
