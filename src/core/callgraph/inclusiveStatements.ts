import { atFloat, atUint } from '../at';
import type { CallGraph } from './callGraph';
import { condense, type Condensation } from './condense';

/**
 * Inclusive statements of every function: the own statements of all *distinct* functions that can be reached from it, itself
 * included, so that a shared callee counts once and cycles are exact (PGIS' aggregation, instrumentation-refinement §2.3).
 *
 * A set union per function has no sub-quadratic algorithm; this one carries 32 possible callees at a time as the bits of a word
 * through the edges of the condensed graph, callees first: E/32 word operations per component that has statements, on arrays
 * that stay in the cache. 10⁵ functions take seconds, where a search per function takes hours.
 * @param weights of the own statements of each function; default: their number
 */
export function inclusiveStatements(
  graph: CallGraph,
  weights: Float64Array = Float64Array.from(graph.functions, ({ statements }) => statements),
): Float64Array {
  const condensed = condense(graph);
  const own = new Float64Array(condensed.count);
  weights.forEach((weight, index) => {
    const component = atUint(condensed.component, index);
    own[component] = atFloat(own, component) + weight;
  });
  const sums = reachableSums(condensed, own);
  return Float64Array.from(graph.functions, (_, index) => atFloat(sums, atUint(condensed.component, index)));
}

const wordBits = 32;

function reachableSums(graph: Condensation, weights: Float64Array): Float64Array {
  const sums = new Float64Array(graph.count);
  const words = new Uint32Array(graph.count);
  const table = new Float64Array(4 * 256);
  const weighty = Uint32Array.from(weights.keys()).filter((component) => atFloat(weights, component) > 0);
  for (let begin = 0; begin < weighty.length; begin += wordBits) {
    const chunk = weighty.subarray(begin, begin + wordBits);
    fillTable(table, chunk, weights);
    words.fill(0);
    chunk.forEach((component, bit) => {
      words[component] = (1 << bit) >>> 0;
    });
    addReached(graph, words, atUint(chunk, 0), table, sums);
  }
  return sums;
}

/**
 * Components before `first` cannot reach the chunk: callees have smaller numbers. This is the hot loop (10⁹ edges for 10⁵ functions):
 * arrays are indexed directly, so that each access sees one type of array.
 */
function addReached(
  graph: Condensation,
  words: Uint32Array,
  first: number,
  table: Float64Array,
  sums: Float64Array,
): void {
  const { starts, targets, count } = graph;
  for (let component = first; component < count; component++) {
    let word = words[component] ?? 0;
    const end = starts[component + 1] ?? 0;
    for (let edge = starts[component] ?? 0; edge < end; edge++) word |= words[targets[edge] ?? 0] ?? 0;
    if (word === 0) continue;
    words[component] = word;
    sums[component] =
      (sums[component] ?? 0) +
      (table[word & 255] ?? 0) +
      (table[256 + ((word >>> 8) & 255)] ?? 0) +
      (table[512 + ((word >>> 16) & 255)] ?? 0) +
      (table[768 + (word >>> 24)] ?? 0);
  }
}

/** Sum of weights for every value of each of a word's four bytes; of values with bits beyond the chunk, which no word has, it says nothing. */
function fillTable(table: Float64Array, chunk: Uint32Array, weights: Float64Array): void {
  for (const [index, component] of chunk.entries()) {
    const byte = (index >> 3) * 256;
    const bit = 1 << (index & 7);
    for (let lower = 0; lower < bit; lower++)
      table[byte + bit + lower] = atFloat(table, byte + lower) + atFloat(weights, component);
  }
}
