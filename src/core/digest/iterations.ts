import { at, atFloat, atInt, atUint } from '../at';
import { mostIterationValues, type DigestIterations } from './digest';
import { UnionTree } from './unionTree';

/** Iterations with what their slots are in the digest that they come into. */
export interface MovedIterations {
  readonly iterations: DigestIterations;
  readonly slotHere: (slot: number) => number;
}

/** The iterations that all have, with the sums over them; those of another phase than the first are left out, and lack in `processes`. */
export function mergeIterations(all: readonly MovedIterations[]): DigestIterations | undefined {
  const phaseOf = ({ iterations, slotHere }: MovedIterations): number => slotHere(iterations.phase);
  const [first] = all;
  if (first === undefined) return undefined;
  const phase = phaseOf(first);
  const parts = all.filter((part) => phaseOf(part) === phase);
  const union = new UnionTree();
  const places = parts.map(({ iterations, slotHere }) => union.add(iterations, slotHere));
  const { tree } = union;
  const width = tree.parents.length;
  const numbers = commonNumbers(parts).slice(0, mostIterationsOf(width));
  const column = (length: number): Float64Array => new Float64Array(length);
  const sums = {
    phase,
    ...tree,
    numbers: Uint32Array.from(numbers),
    processes: column(numbers.length),
    preemptedSeconds: column(numbers.length),
    computingSeconds: column(numbers.length),
    mostSeconds: column(numbers.length),
    mostRank: new Uint32Array(numbers.length),
    visits: column(numbers.length * width),
    seconds: column(numbers.length * width),
    childEvents: column(numbers.length * width),
  };
  parts.forEach(({ iterations }, i) => addIterations(sums, iterations, at(places, i)));
  return sums;
}

/** So many iterations of so many paths may be in a digest. */
export function mostIterationsOf(paths: number): number {
  return Math.max(1, Math.floor(mostIterationValues / Math.max(1, paths)));
}

function commonNumbers(parts: readonly MovedIterations[]): number[] {
  const counts = new Map<number, number>();
  for (const { iterations } of parts)
    for (const number of iterations.numbers) counts.set(number, (counts.get(number) ?? 0) + 1);
  return [...counts]
    .flatMap(([number, count]) => (count === parts.length ? [number] : []))
    .sort((a, b) => a - b);
}

function addIterations(sums: DigestIterations, own: DigestIterations, places: Int32Array): void {
  const rows = new Map(Array.from(own.numbers, (number, row) => [number, row]));
  const width = sums.parents.length;
  sums.numbers.forEach((number, row) => {
    const from = rows.get(number);
    if (from === undefined) return;
    add(sums.processes, row, atFloat(own.processes, from));
    add(sums.preemptedSeconds, row, atFloat(own.preemptedSeconds, from));
    add(sums.computingSeconds, row, atFloat(own.computingSeconds, from));
    if (atFloat(own.mostSeconds, from) > atFloat(sums.mostSeconds, row)) {
      sums.mostSeconds[row] = atFloat(own.mostSeconds, from);
      sums.mostRank[row] = atUint(own.mostRank, from);
    }
    for (let path = 0; path < places.length; path++) {
      const place = atInt(places, path);
      if (place < 0) continue;
      const [cell, ownCell] = [row * width + place, from * places.length + path];
      add(sums.visits, cell, atFloat(own.visits, ownCell));
      add(sums.seconds, cell, atFloat(own.seconds, ownCell));
      add(sums.childEvents, cell, atFloat(own.childEvents, ownCell));
    }
  });
}

function add(column: Float64Array, cell: number, value: number): void {
  column[cell] = atFloat(column, cell) + value;
}
