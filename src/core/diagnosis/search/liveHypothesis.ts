import type { Hypothesis } from '../hypotheses/hypothesis';

/** A hypothesis in a search: its threshold may change while the search runs. */
export class LiveHypothesis {
  threshold: number;
  /** The hypotheses that make it more precise. */
  readonly children: LiveHypothesis[] = [];

  constructor(readonly record: Hypothesis) {
    this.threshold = record.threshold;
  }

  /** Nothing is measured for it: it is true if any of its children is. */
  get isVirtual(): boolean {
    return this.record.metric === undefined;
  }

  /** As it is now. */
  get current(): Hypothesis {
    return { ...this.record, threshold: this.threshold };
  }
}

/** By id. Ids of children that do not exist are ignored. */
export function liveHypotheses(records: readonly Hypothesis[]): ReadonlyMap<string, LiveHypothesis> {
  const live = new Map(records.map((record) => [record.id, new LiveHypothesis(record)]));
  for (const { record, children } of live.values())
    for (const id of record.children) {
      const child = live.get(id);
      if (child !== undefined) children.push(child);
    }
  return live;
}

/** Those that make no other one more precise: the search begins with them. */
export function topHypotheses(all: ReadonlyMap<string, LiveHypothesis>): readonly LiveHypothesis[] {
  const below = new Set([...all.values()].flatMap(({ children }) => children));
  return [...all.values()].filter((hypothesis) => !below.has(hypothesis));
}
