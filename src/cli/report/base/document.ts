import type { Rows } from '../../terminal/table';

/** A report before it is a page: plain data, so that nothing but `page.ts` writes markup. */
export interface ReportDocument {
  readonly title: string;
  /** What was measured, in one line. */
  readonly subtitle: string;
  readonly sections: readonly Section[];
  /** The last line. */
  readonly footer: string;
}

export interface Section {
  /** Names the section in addresses, and in the output of `--json`. */
  readonly id: string;
  readonly title: string;
  readonly blocks: readonly Block[];
}

export type Block =
  | { readonly kind: 'text'; readonly text: string; readonly manner?: 'verdict' | 'note' }
  | { readonly kind: 'heading'; readonly text: string }
  | { readonly kind: 'list'; readonly items: readonly string[] }
  | { readonly kind: 'facts'; readonly facts: readonly Fact[] }
  | Finding
  | TableBlock
  | { readonly kind: 'chart'; readonly chart: Chart }
  /** A picture that this program drew; its texts are escaped. */
  | { readonly kind: 'picture'; readonly caption: string; readonly svg: string };

export type Fact = readonly [name: string, value: string];

export interface Finding {
  readonly kind: 'finding';
  readonly title: string;
  /** Where it is, and its numbers. */
  readonly facts: readonly string[];
  readonly next: string;
}

export interface TableBlock {
  readonly kind: 'table';
  readonly caption: string;
  readonly rows: Rows;
  /** Shares (0…1) of the first column, drawn as bars in it. */
  readonly bars?: readonly number[];
}

/** Lines and points over a number. */
export interface Chart {
  readonly title: string;
  /** The same in words, for whoever does not see it. */
  readonly description: string;
  readonly x: Axis;
  readonly y: Axis;
  readonly lines: readonly Line[];
  /** Ranges of x that are marked. */
  readonly spans?: readonly (readonly [from: number, to: number])[];
}

export interface Axis {
  readonly label: string;
  readonly format: (value: number) => string;
  readonly scale?: 'linear' | 'logarithmic';
  /** Whole numbers only. */
  readonly whole?: boolean;
}

export interface Line {
  readonly name: string;
  readonly points: readonly Point[];
  /** `both`: a line with points; `band`: the range between `low` and `high`. */
  readonly style: 'line' | 'points' | 'dashes' | 'both' | 'band';
}

export interface Point {
  readonly x: number;
  readonly y: number;
  /** Range of the value. */
  readonly low?: number;
  readonly high?: number;
}

/** A table, where it has rows. */
export function tableBlock(caption: string, rows: Rows, bars?: readonly number[]): readonly Block[] {
  return rows.cells.length === 0
    ? []
    : [{ kind: 'table', caption, rows, ...(bars === undefined ? {} : { bars }) }];
}

/** The rows without a column of words. */
export function without(rows: Rows, head: string): Rows {
  const column = rows.heads.indexOf(head);
  const rest = (row: readonly string[]): readonly string[] => row.filter((_, index) => index !== column);
  return column < rows.numbers ? rows : { ...rows, heads: rest(rows.heads), cells: rows.cells.map(rest) };
}

/** Paragraphs; empty ones are left out. */
export function texts(all: readonly string[], manner?: 'verdict' | 'note'): readonly Block[] {
  return all
    .filter((text) => text.trim() !== '')
    .map((text) => ({ kind: 'text', text, ...(manner === undefined ? {} : { manner }) }));
}

/** A list with a heading; nothing without items. */
export function listBlock(title: string, items: readonly string[]): readonly Block[] {
  return items.length === 0
    ? []
    : [
        { kind: 'heading', text: title },
        { kind: 'list', items },
      ];
}
