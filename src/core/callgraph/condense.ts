import type { CallGraph } from './callGraph';

/** Strongly connected components of a call graph, callees first: a component's callees have smaller numbers. */
export interface Condensation {
  readonly count: number;
  /** Component of each function. */
  readonly component: Uint32Array;
  /** Callees between components, each once: `targets[starts[c]] … targets[starts[c + 1] - 1]`. */
  readonly starts: Uint32Array;
  readonly targets: Uint32Array;
}

/** Tarjan's algorithm with an explicit stack (call graphs are deep), then the edges between components. O(N + E). */
export function condense(graph: CallGraph): Condensation {
  const { component, count } = components(graph);
  return { component, count, ...edgesBetween(graph, component, count) };
}

function components(graph: CallGraph): { component: Uint32Array; count: number } {
  const size = graph.functions.length;
  const order = new Int32Array(size).fill(-1);
  const low = new Int32Array(size);
  const next = new Int32Array(size);
  const component = new Uint32Array(size);
  const open = new Uint8Array(size);
  const members: number[] = [];
  const path: number[] = [];
  let visited = 0;
  let count = 0;
  const enter = (node: number): void => {
    order[node] = low[node] = visited++;
    open[node] = 1;
    members.push(node);
    path.push(node);
  };
  const leave = (node: number): void => {
    path.pop();
    const above = path.at(-1);
    if (above !== undefined) low[above] = Math.min(at(low, above), at(low, node));
    if (low[node] !== order[node]) return;
    for (let member = members.pop(); member !== undefined; member = members.pop()) {
      open[member] = 0;
      component[member] = count;
      if (member === node) break;
    }
    count++;
  };
  for (let root = 0; root < size; root++) {
    if (order[root] !== -1) continue;
    enter(root);
    for (let node = path.at(-1); node !== undefined; node = path.at(-1)) {
      const edge = graph.edges[node]?.[at(next, node)];
      if (edge === undefined) {
        leave(node);
        continue;
      }
      next[node] = at(next, node) + 1;
      if (order[edge.callee] === -1) enter(edge.callee);
      else if (open[edge.callee] === 1) low[node] = Math.min(at(low, node), at(order, edge.callee));
    }
  }
  return { component, count };
}

function edgesBetween(
  graph: CallGraph,
  component: Uint32Array,
  count: number,
): { starts: Uint32Array; targets: Uint32Array } {
  const callees: Set<number>[] = Array.from({ length: count }, () => new Set<number>());
  let total = 0;
  graph.edges.forEach((edges, caller) => {
    const from = at(component, caller);
    const set = callees[from];
    for (const { callee } of edges) {
      const to = at(component, callee);
      if (to === from || set === undefined || set.has(to)) continue;
      set.add(to);
      total++;
    }
  });
  const starts = new Uint32Array(count + 1);
  const targets = new Uint32Array(total);
  let position = 0;
  callees.forEach((set, from) => {
    starts[from] = position;
    for (const to of set) targets[position++] = to;
  });
  starts[count] = position;
  return { starts, targets };
}

/** Typed-array element that is known to exist. */
export function at(array: Uint32Array | Int32Array | Float64Array | Uint8Array, index: number): number {
  return array[index] ?? 0;
}
