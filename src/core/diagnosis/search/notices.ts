import type { SearchNotice } from './searchRecord';

/** Notices of one kind that are kept: what floods a search must not flood its record. */
const mostOfKind = 20;

/** What happened that concerns a search as a whole. */
export class Notices {
  private readonly notices: SearchNotice[] = [];
  private readonly counts = new Map<string, number>();

  get all(): readonly SearchNotice[] {
    return [...this.notices];
  }

  /** @param kind of which only the first ones are kept */
  add(kind: string, time: number, message: string): void {
    const count = (this.counts.get(kind) ?? 0) + 1;
    this.counts.set(kind, count);
    if (count > mostOfKind) return;
    const last = count === mostOfKind ? ' Further notices of this kind are left out.' : '';
    this.notices.push({ time, message: message + last });
  }
}
