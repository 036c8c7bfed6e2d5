import { byShare } from '../../../core/functions/shareOrder';
import type { Base } from '../../../core/functions/base';
import type { FunctionRow } from '../../../core/functions/functionRow';

/** The functions that begin on one line: usually one, but instantiations of a template share their place. */
export interface FunctionsAtLine {
  /** 1-based. */
  readonly line: number;
  /** Descending by share, shares of the last run before those of earlier runs. */
  readonly functions: readonly FunctionRow[];
}

/** The functions of a study by file, so that a lens provider reads only the functions of its file. */
export class FunctionIndex {
  private readonly byFile = new Map<string, FunctionRow[]>();
  private readonly grouped = new Map<string, readonly FunctionsAtLine[]>();
  private readonly rows: FunctionRow[] = [];

  /** Base of the shares; absent if nothing was measured, or an earlier version measured it. */
  get base(): Base | undefined {
    return this.rows.find(({ base, earlier }) => base !== undefined && earlier === undefined)?.base;
  }

  /** All functions, including those without a place. */
  get size(): number {
    return this.rows.length;
  }

  /** In the study's order, including those without a place. */
  get all(): readonly FunctionRow[] {
    return this.rows;
  }

  /** The functions at these positions of the study's table. */
  at(positions: readonly number[]): readonly FunctionRow[] {
    return positions.flatMap((position) => this.rows[position] ?? []);
  }

  add(functions: readonly FunctionRow[]): void {
    for (const row of functions) {
      this.rows.push(row);
      if (row.file === undefined || row.line === undefined) continue;
      const inFile = this.byFile.get(row.file);
      if (inFile === undefined) this.byFile.set(row.file, [row]);
      else inFile.push(row);
      this.grouped.delete(row.file);
    }
  }

  /** Ascending by line. `file` is an absolute path. */
  inFile(file: string): readonly FunctionsAtLine[] {
    const cached = this.grouped.get(file);
    if (cached !== undefined) return cached;
    const lines = new Map<number, FunctionRow[]>();
    for (const row of this.byFile.get(file) ?? []) {
      const line = row.line ?? 1;
      const others = lines.get(line);
      if (others === undefined) lines.set(line, [row]);
      else others.push(row);
    }
    const groups = [...lines]
      .map(([line, functions]) => ({ line, functions: functions.sort(byWeight) }))
      .sort((a, b) => a.line - b.line);
    this.grouped.set(file, groups);
    return groups;
  }
}

const byInclusive = byShare('inclusiveShare');

function byWeight(a: FunctionRow, b: FunctionRow): number {
  return byInclusive(a, b) || Number(b.selected) - Number(a.selected) || a.name.localeCompare(b.name);
}
