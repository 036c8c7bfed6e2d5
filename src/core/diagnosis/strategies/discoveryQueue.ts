import type { Discovery } from './messages';

/** Discoveries that are passed on per second, and that may wait: more at once are of short-lived objects, and are dropped. */
const [perSecond, mostWaiting] = [120, 256];

/**
 * New resources and calls on their way to the front end, each once. A flood of them is thinned, but not below what the front end takes for a flood
 * (`discoveryLimits`: 100 at once, 20 per second): it has to see soon that there is one.
 */
export class DiscoveryQueue {
  private readonly waiting = new Map<string, Discovery>();

  /** @param interval seconds between two calls of `take` */
  constructor(private readonly interval: number) {}

  add(discovery: Discovery): void {
    if (this.waiting.size < mostWaiting) this.waiting.set(JSON.stringify(discovery), discovery);
  }

  /** The next ones to pass on. */
  take(): readonly Discovery[] {
    const taken = [...this.waiting].slice(0, Math.ceil(perSecond * this.interval));
    for (const [key] of taken) this.waiting.delete(key);
    return taken.map(([, discovery]) => discovery);
  }
}
