/** How a click or key changes what is selected: that row alone, that row in or out, or everything between. */
export type MarkChange = 'only' | 'toggle' | 'range';

/** What a click or key with these modifiers means. */
export function markChange(event: {
  readonly shiftKey: boolean;
  readonly ctrlKey?: boolean;
  readonly metaKey?: boolean;
}): MarkChange {
  if (event.shiftKey) return 'range';
  return event.ctrlKey === true || event.metaKey === true ? 'toggle' : 'only';
}

/** Rows that are selected together. One of them is where the keys are; ranges begin where the last single choice was. */
export class Marks {
  private readonly marked = new Set<number>();
  private anchor: number | undefined;

  has(row: number): boolean {
    return this.marked.has(row);
  }

  get rows(): readonly number[] {
    return [...this.marked];
  }

  set(rows: readonly number[]): void {
    this.marked.clear();
    for (const row of rows) this.marked.add(row);
    this.anchor = rows.at(-1);
  }

  /** @param rows all that are shown, from top to bottom */
  change(row: number, how: MarkChange, rows: ArrayLike<number>): void {
    if (how === 'range' && this.anchor !== undefined) {
      this.between(this.anchor, row, rows);
      return;
    }
    if (how === 'toggle') {
      // Something is always selected.
      if (!this.marked.delete(row) || this.marked.size === 0) this.marked.add(row);
    } else {
      this.marked.clear();
      this.marked.add(row);
    }
    this.anchor = row;
  }

  private between(from: number, to: number, rows: ArrayLike<number>): void {
    const indexOf = (row: number): number => Array.prototype.indexOf.call(rows, row);
    const [a, b] = [indexOf(from), indexOf(to)];
    this.marked.clear();
    for (let index = Math.min(a < 0 ? b : a, b); index <= Math.max(a, b); index++) {
      const row = rows[index];
      if (row !== undefined) this.marked.add(row);
    }
  }
}
