import { fanOut } from '../../core/timeline/index/node';
import { levelCounts, type Place } from './layout';

/** Of one level: when its nodes begin, and where their parts are. Columns of doubles, one after the other. */
export interface LevelTable {
  readonly count: number;
  readonly begin: Float64Array;
  readonly binsOffset: Float64Array;
  readonly binsLength: Float64Array;
  readonly stackOffset: Float64Array;
  readonly stackLength: Float64Array;
  /** Level 0: position in the file of the events, and the time there. Above: place of the sums. */
  readonly thirdOffset: Float64Array;
  readonly third: Float64Array;
}

const columns = 7;

/** A node of a location belongs to at least this number of levels: blocks, and those that have sums. */
const leastLevels = 2;

export function nodeCounts(blocks: number): readonly number[] {
  return levelCounts(blocks, fanOut, leastLevels);
}

export function tableBytes(blocks: number): number {
  return nodeCounts(blocks).reduce((sum, count) => sum + count * columns * 8, 0);
}

/** @param bytes of the levels one after the other, aligned; undefined: times go backwards or are no numbers */
export function readLevels(
  bytes: Uint8Array,
  blocks: number,
  rowEnd: number,
): readonly LevelTable[] | undefined {
  const all = new Float64Array(bytes.slice().buffer);
  let at = 0;
  const tables: LevelTable[] = [];
  for (const count of nodeCounts(blocks)) {
    const column = (): Float64Array => all.subarray(at, (at += count));
    const table: LevelTable = {
      count,
      begin: column(),
      binsOffset: column(),
      binsLength: column(),
      stackOffset: column(),
      stackLength: column(),
      thirdOffset: column(),
      third: column(),
    };
    if (!isAscending(table.begin, rowEnd)) return undefined;
    tables.push(table);
  }
  return tables;
}

function isAscending(times: Float64Array, end: number): boolean {
  let before = -Number.MAX_VALUE;
  for (const time of times) {
    if (!(time >= before)) return false;
    before = time;
  }
  return end >= before && end <= Number.MAX_VALUE;
}

/** The columns of one level while they become longer. */
export class GrowingTable {
  readonly #columns: number[][] = Array.from({ length: columns }, () => []);

  get count(): number {
    return this.#columns[0]?.length ?? 0;
  }

  /** Places follow: `setPlace`. */
  add(begin: number, thirdOffset: number, third: number): void {
    for (const [at, value] of [begin, 0, 0, 0, 0, thirdOffset, third].entries())
      this.#columns[at]?.push(value);
  }

  /** @param part 0: bins, 1: stack, 2: sums */
  setPlace(node: number, part: number, { offset, length }: Place): void {
    const [offsets, lengths] = [this.#columns[1 + part * 2], this.#columns[2 + part * 2]];
    if (offsets !== undefined) offsets[node] = offset;
    if (lengths !== undefined) lengths[node] = length;
  }

  bytes(): Uint8Array {
    return new Uint8Array(Float64Array.from(this.#columns.flat()).buffer);
  }
}
