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
    for (const one of functions) {
      this.rows.push(one);
      if (one.file === undefined || one.line === undefined) continue;
      const known = this.byFile.get(one.file);
      if (known === undefined) this.byFile.set(one.file, [one]);
      else known.push(one);
      this.grouped.delete(one.file);
    }
  }

  /** Ascending by line. `file` is an absolute path. */
  inFile(file: string): readonly FunctionsAtLine[] {
    const known = this.grouped.get(file);
    if (known !== undefined) return known;
    const lines = new Map<number, FunctionRow[]>();
    for (const one of this.byFile.get(file) ?? []) {
      const line = one.line ?? 1;
      const others = lines.get(line);
      if (others === undefined) lines.set(line, [one]);
      else others.push(one);
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
