import { atFloat, atUint } from '../at';

/**
 * Messages between pairs of processes, which are ranks of `MPI_COMM_WORLD`; only pairs that communicate have an entry. Columns of equal length, ordered
 * by sender, then by receiver, with no pair twice.
 */
export interface CommunicationMatrix extends CommunicationShape, CommunicationColumns {}

/** What is known of a matrix before its entries. */
export interface CommunicationShape {
  /** Number of rows and of columns. */
  readonly size: number;
  /** Ranks that share a row or column: above 1 only in a matrix that `coarsened` made. Row i has the ranks from i × ranksPerRow on. */
  readonly ranksPerRow: number;
  /** Number of ranks; at most size × ranksPerRow. */
  readonly ranks: number;
}

export interface CommunicationColumns {
  /** Row and column per entry. */
  readonly from: Uint32Array;
  readonly to: Uint32Array;
  readonly messages: Float64Array;
  readonly bytes: Float64Array;
  /** Seconds that receives waited for their senders, where it is known. */
  readonly seconds?: Float64Array;
}

/** One pair; several of the same pair are added. */
export interface CommunicationEntry {
  readonly from: number;
  readonly to: number;
  readonly messages: number;
  readonly bytes: number;
  readonly seconds?: number;
}

export const communicationValues = ['bytes', 'messages', 'seconds'] as const;
export type CommunicationValue = (typeof communicationValues)[number];

/**
 * The matrix of `ranks` processes, from entries in any order: the one place where a reader of partner statistics plugs in. It has seconds when any entry
 * has them.
 * @throws RangeError for a rank outside of 0 … ranks − 1
 */
export function communicationMatrix(
  ranks: number,
  entries: Iterable<CommunicationEntry>,
): CommunicationMatrix {
  const sums = new Map<number, { messages: number; bytes: number; seconds: number }>();
  let isTimed = false;
  for (const { from, to, messages, bytes, seconds } of entries) {
    for (const rank of [from, to])
      if (!Number.isInteger(rank) || rank < 0 || rank >= ranks)
        throw new RangeError(`Rank ${rank} is not among the ${ranks} ranks of the run.`);
    isTimed ||= seconds !== undefined;
    const key = from * ranks + to;
    const known = sums.get(key);
    if (known === undefined) sums.set(key, { messages, bytes, seconds: seconds ?? 0 });
    else {
      known.messages += messages;
      known.bytes += bytes;
      known.seconds += seconds ?? 0;
    }
  }
  const keys = Float64Array.from(sums.keys()).sort();
  const column = (name: 'messages' | 'bytes' | 'seconds'): Float64Array =>
    keys.map((key) => sums.get(key)?.[name] ?? 0);
  return {
    size: ranks,
    ranksPerRow: 1,
    ranks,
    from: Uint32Array.from(keys, (key) => Math.floor(key / ranks)),
    to: Uint32Array.from(keys, (key) => key % ranks),
    messages: column('messages'),
    bytes: column('bytes'),
    ...(isTimed ? { seconds: column('seconds') } : {}),
  };
}

/** The same traffic with at most `most` entries: where there are more, two, four, … neighbouring ranks share a row and their entries are added. */
export function coarsened(matrix: CommunicationMatrix, most: number): CommunicationMatrix {
  let coarse = matrix;
  while (coarse.from.length > most && coarse.size > 1) coarse = halved(coarse);
  return coarse;
}

function halved({ size, ranksPerRow, ranks, ...columns }: CommunicationMatrix): CommunicationMatrix {
  const { from, to, messages, bytes, seconds } = columns;
  function* entries(): Iterable<CommunicationEntry> {
    for (const [entry, sender] of from.entries())
      yield {
        from: sender >>> 1,
        to: atUint(to, entry) >>> 1,
        messages: atFloat(messages, entry),
        bytes: atFloat(bytes, entry),
        ...(seconds === undefined ? {} : { seconds: atFloat(seconds, entry) }),
      };
  }
  const coarse = communicationMatrix(Math.ceil(size / 2), entries());
  return { ...coarse, ranks, ranksPerRow: 2 * ranksPerRow };
}

/** Entries [first, first + count), as copies for another process. */
export function communicationPiece(
  { from, to, messages, bytes, seconds }: CommunicationColumns,
  first: number,
  count: number,
): CommunicationColumns {
  const end = first + count;
  return {
    from: from.slice(first, end),
    to: to.slice(first, end),
    messages: messages.slice(first, end),
    bytes: bytes.slice(first, end),
    ...(seconds === undefined ? {} : { seconds: seconds.slice(first, end) }),
  };
}

/** Sums per row (sent) and per column (received), and of all; the two kinds of sums have the same total. */
export interface CommunicationSums {
  readonly sent: Float64Array;
  readonly received: Float64Array;
  readonly total: number;
}

/** Zeros where the value was not measured. */
export function communicationSums(matrix: CommunicationMatrix, value: CommunicationValue): CommunicationSums {
  const sent = new Float64Array(matrix.size);
  const received = new Float64Array(matrix.size);
  let total = 0;
  matrix[value]?.forEach((amount, entry) => {
    const [row, column] = [atUint(matrix.from, entry), atUint(matrix.to, entry)];
    sent[row] = atFloat(sent, row) + amount;
    received[column] = atFloat(received, column) + amount;
    total += amount;
  });
  return { sent, received, total };
}

/** Position of a pair among the entries; undefined if it does not communicate. */
export function entryOf({ from, to }: CommunicationMatrix, row: number, column: number): number | undefined {
  let low = 0;
  let high = from.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const sender = atUint(from, middle);
    if (sender < row || (sender === row && atUint(to, middle) < column)) low = middle + 1;
    else high = middle;
  }
  return from[low] === row && to[low] === column ? low : undefined;
}

/** First and last rank of a row. */
export function ranksOfRow(
  { ranks, ranksPerRow }: CommunicationShape,
  row: number,
): readonly [number, number] {
  return [row * ranksPerRow, Math.min(ranks, (row + 1) * ranksPerRow) - 1];
}
