import { priorities, type Activity, type Priority } from './searchRecord';

interface Waiting {
  readonly activity: Activity;
  readonly priority: Priority;
}

/**
 * What waits for being measured: by priority, and in the order of arrival inside each (Roth 2005, section 6.1.3). Whatever does not wait any more, or
 * has another priority and was put in again, is passed over.
 */
export class ActivationQueue<Item extends Waiting> {
  private readonly lanes = priorities.map((priority) => new Lane<Item>(priority));

  push(item: Item): void {
    this.lanes.find(({ priority }) => priority === item.priority)?.push(item);
  }

  first(): Item | undefined {
    for (const lane of this.lanes) {
      const first = lane.first();
      if (first !== undefined) return first;
    }
    return undefined;
  }
}

/** First in, first out, in constant time. */
class Lane<Item extends Waiting> {
  private items: Item[] = [];
  private begin = 0;

  constructor(readonly priority: Priority) {}

  push(item: Item): void {
    this.items.push(item);
  }

  first(): Item | undefined {
    for (;;) {
      const first = this.items[this.begin];
      if (first === undefined || (first.activity === 'waiting' && first.priority === this.priority))
        return first;
      this.begin += 1;
      if (this.begin * 2 < this.items.length) continue;
      this.items = this.items.slice(this.begin);
      this.begin = 0;
    }
  }
}
