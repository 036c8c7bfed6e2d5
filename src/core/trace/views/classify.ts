import { typesIn } from '../messageMarks';
import { at, atFloat, atInt, atUint } from '../../at';
import type { Alignment } from '../align/alignTraces';
import type { CallTrace } from '../callTrace';
import { Deviation } from '../pair/deviation';
import type { TraceComparison } from '../pair/differences';
import { PairValues, type PairTree } from '../pair/pairTree';
import { classNumbers, type PairClasses, type Tolerance } from './classes';
import { LastUsed } from './lastUsed';

/**
 * Classifies the rows of two aligned traces. A matched row has changed if it was called more or less often, if its messages have other sizes or types, or if the
 * exclusive value of a function deviates as that of a call path has to (`Deviation`). Of times, its call path has to be one that the comparison names:
 * single calls vary with the machine, and the colours say no more than the summary.
 */
export class RowClassifier {
  private readonly matched: PairTree;
  /** Values of the metrics that were used last: they are the same for each sensitivity. */
  private readonly values = new LastUsed<PairValues>(2);

  constructor(
    private readonly left: CallTrace,
    private readonly right: CallTrace,
    alignment: Alignment,
  ) {
    this.matched = matchedRows(left, right, alignment);
  }

  /** @param isNamed whether the call path of a row of the first trace takes another time */
  classes({ metric, sensitivity }: Tolerance, isNamed: (row: number) => boolean): PairClasses {
    const { left, right, matched } = this;
    const classes = unmatched(left, right);
    const values = this.values.get(metric, () => new PairValues(matched, metric, [1, 1]));
    const isChange = this.#changes(values, sensitivity, isNamed);
    const { keys } = left.table;
    for (let node = 0; node < matched.size; node++) {
      const [row, other] = [atInt(matched.rows[0], node), atInt(matched.rows[1], node)];
      const differs =
        atFloat(left.count, row) !== atFloat(right.count, other) ||
        (at(keys, atUint(left.key, row)).kind === 'context'
          ? isChange(node)
          : messagesDiffer(left, row, right, other));
      setBoth(classes, row, other, differs);
    }
    return classes;
  }

  /** By node of the matched rows. */
  #changes(
    values: PairValues,
    sensitivity: number,
    isNamed: (row: number) => boolean,
  ): (node: number) => boolean {
    if (values.metric !== 'time' || sensitivity === 0) {
      const deviation = new Deviation(this.matched, values, sensitivity);
      return (node) => deviation.isChange(node);
    }
    return (node) => {
      const [before, after] = values.exclusive(node);
      return Math.abs(after - before) > sensitivity * before && isNamed(atInt(this.matched.rows[0], node));
    };
  }
}

/** Classes of the rows of two frequency views, as they were compared. */
export function classifyPaths({ traces, rows }: PairTree, { differences }: TraceComparison): PairClasses {
  const classes = unmatched(...traces);
  const [left, right] = rows;
  for (let node = 0; node < left.length; node++) {
    const [row, other] = [atInt(left, node), atInt(right, node)];
    if (row >= 0 && other >= 0) setBoth(classes, row, other, false);
  }
  for (const { kind, node } of differences) {
    // Of partners and orders, other rows are new or gone.
    if (kind === 'changed-partners' || kind === 'changed-order') continue;
    const [row, other] = [atInt(left, node), atInt(right, node)];
    if (row >= 0 && other >= 0) setBoth(classes, row, other, true);
  }
  return classes;
}

function unmatched(left: CallTrace, right: CallTrace): PairClasses {
  return {
    left: new Uint8Array(left.size).fill(classNumbers.deleted),
    right: new Uint8Array(right.size).fill(classNumbers.added),
  };
}

function setBoth({ left, right }: PairClasses, row: number, other: number, differs: boolean): void {
  const own = differs ? classNumbers.changed : classNumbers.equal;
  left[row] = own;
  right[other] = own;
}

/** Matched rows as the nodes of a tree: what they are below does not matter here. */
function matchedRows(left: CallTrace, right: CallTrace, alignment: Alignment): PairTree {
  const rows = Int32Array.from(alignment.right.keys()).filter((row) => atInt(alignment.right, row) >= 0);
  return {
    table: left.table,
    traces: [left, right],
    size: rows.length,
    parent: new Int32Array(rows.length).fill(-1),
    key: Uint32Array.from(rows, (row) => atUint(left.key, row)),
    rows: [rows, rows.map((row) => atInt(alignment.right, row))],
  };
}

function messagesDiffer(left: CallTrace, row: number, right: CallTrace, other: number): boolean {
  const hasOtherTypes =
    left.marks !== undefined &&
    right.marks !== undefined &&
    typesIn(atUint(left.marks, row)) !== typesIn(atUint(right.marks, other));
  if (hasOtherTypes) return true;
  return (
    left.sizeUnit === right.sizeUnit &&
    (atFloat(left.bytes, row) !== atFloat(right.bytes, other) ||
      atFloat(left.leastBytes, row) !== atFloat(right.leastBytes, other) ||
      atFloat(left.mostBytes, row) !== atFloat(right.mostBytes, other))
  );
}
