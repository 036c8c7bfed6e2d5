/** Change of the selection by a click or key: that row alone, that row added or removed, or all rows between. */
export type MarkChange = 'only' | 'toggle' | 'range';

/** The change of the selection that a click or key with these modifiers makes. */
export function markChange(event: {
  readonly shiftKey: boolean;
  readonly ctrlKey?: boolean;
  readonly metaKey?: boolean;
}): MarkChange {
  if (event.shiftKey) return 'range';
  return event.ctrlKey === true || event.metaKey === true ? 'toggle' : 'only';
}

/** Rows of a multiple selection. One of them is the current row of the keyboard; ranges begin at the last row that was selected alone. */
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

  /** @param rows all shown rows, from top to bottom */
  change(row: number, how: MarkChange, rows: ArrayLike<number>): void {
    if (how === 'range' && this.anchor !== undefined) {
      this.between(this.anchor, row, rows);
      return;
    }
    if (how === 'toggle') {
      // At least one row is always selected.
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
