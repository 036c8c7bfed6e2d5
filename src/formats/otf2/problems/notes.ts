/**
 * - `truncated`: a file ends before its end mark: it was cut off, or is still being written
 * - `damaged`: the rest of a file cannot be read
 * - `missing-events`: a location has no file with events
 * - `unknown-records`: records of a newer version were skipped
 * - `times-backwards`: events that are earlier than the one before
 * - `inexact-times`: times more than 2^53 ticks away from the beginning of the trace
 * - `count`: another number of events or definitions than the archive announces
 * - `local-definitions`: the ids or the clock of a location may be wrong
 * - `incomplete`: the recording left out a part of the run, as the archive says
 * - `ignored`: parts that Kymo does not read (snapshots)
 */
export type NoteReason =
  | 'truncated'
  | 'damaged'
  | 'missing-events'
  | 'unknown-records'
  | 'times-backwards'
  | 'inexact-times'
  | 'count'
  | 'local-definitions'
  | 'incomplete'
  | 'ignored';

/** What is wrong with an archive that is read all the same. */
export interface Note {
  readonly reason: NoteReason;
  /** A sentence with the file. */
  readonly message: string;
}

/** Notes of each reason that are written out; 10^5 locations may have the same fault. */
const mostOfAReason = 20;

export class Notes {
  readonly #listed: Note[] = [];
  readonly #counts = new Map<NoteReason, number>();
  readonly #known = new Set<string>();

  /** The same note is there once, however often a location is read. */
  add(reason: NoteReason, message: string): void {
    if (this.#known.has(message)) return;
    this.#known.add(message);
    const count = this.#counts.get(reason) ?? 0;
    if (count < mostOfAReason) this.#listed.push({ reason, message });
    this.#counts.set(reason, count + 1);
  }

  list(): readonly Note[] {
    const more = [...this.#counts].filter(([, count]) => count > mostOfAReason);
    return [
      ...this.#listed,
      ...more.map(([reason, count]) => ({
        reason,
        message: `${count - mostOfAReason} more notes of this kind.`,
      })),
    ];
  }
}
