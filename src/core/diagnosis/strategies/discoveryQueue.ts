import type { Discovery } from './messages';

/** Discoveries that are passed on at once, and that may wait: more at once are of short-lived objects, and are dropped. */
const [mostAtOnce, mostWaiting] = [8, 256];

/**
 * New resources and calls on their way to the front end, each once. A flood of them is thinned, but not below what the front end takes for a flood
 * (`discoveryLimits`: 20 per second): it has to see that there is one.
 */
export class DiscoveryQueue {
  private readonly waiting = new Map<string, Discovery>();

  add(discovery: Discovery): void {
    if (this.waiting.size < mostWaiting) this.waiting.set(JSON.stringify(discovery), discovery);
  }

  /** The next ones to pass on; called once per sampling interval. */
  take(): readonly Discovery[] {
    const taken = [...this.waiting].slice(0, mostAtOnce);
    for (const [key] of taken) this.waiting.delete(key);
    return taken.map(([, discovery]) => discovery);
  }
}
