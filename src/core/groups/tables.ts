import { csvText } from '../csv';

/** A matrix of groups as CSV: the names of the groups in the first row and column. */
export function matrixCsv(names: readonly string[], value: (row: number, column: number) => number): string {
  return csvText([
    ['group', ...names],
    ...names.map((name, row) => [name, ...names.map((_, column) => value(row, column))]),
  ]);
}

/** `3: Ranks 2–4`, by the number that `kymo groups` gives the group. */
export function numberedName(group: number, name: string): string {
  return `${group + 1}: ${name}`;
}

/** The groups as CSV. */
export function groupsCsv(
  measure: 'pairs' | 'functions',
  groups: readonly {
    readonly members: readonly number[];
    readonly processes: string;
    readonly attributes: readonly number[];
    readonly similarity: { readonly least: number; readonly mean: number };
    readonly timeSimilarity?: { readonly least: number; readonly mean: number };
  }[],
  representative: (group: number) => string,
): string {
  const head = ['group', 'processes', measure, 'similarity: least', 'similarity: mean'];
  return csvText([
    [...head, 'time similarity: least', 'time similarity: mean', 'representative', 'which processes'],
    ...groups.map(({ members, processes, attributes, similarity, timeSimilarity }, group) => [
      group + 1,
      members.length,
      attributes.length,
      similarity.least,
      similarity.mean,
      timeSimilarity?.least ?? '',
      timeSimilarity?.mean ?? '',
      representative(group),
      processes,
    ]),
  ]);
}
