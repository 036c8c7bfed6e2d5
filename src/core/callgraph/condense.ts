import { at, atInt, atUint } from '../at';
import type { CallEdge } from './callGraph';

/** `edges[function]`: its callees. A call graph, or less. */
export interface CalleeLists {
  readonly edges: readonly (readonly Pick<CallEdge, 'callee'>[])[];
}

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
export function condense(graph: CalleeLists): Condensation {
  const components = componentsOf(graph);
  return { ...components, ...edgesBetween(graph, components) };
}

/** The functions of each component. */
export function membersOf({ component, count }: Components): readonly (readonly number[])[] {
  const members: number[][] = Array.from({ length: count }, () => []);
  component.forEach((own, index) => at(members, own).push(index));
  return members;
}

type Components = Pick<Condensation, 'component' | 'count'>;

function componentsOf(graph: CalleeLists): Components {
  const size = graph.edges.length;
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
    if (above !== undefined) low[above] = Math.min(atInt(low, above), atInt(low, node));
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
      const edge = at(graph.edges, node)[atInt(next, node)];
      if (edge === undefined) {
        leave(node);
        continue;
      }
      next[node] = atInt(next, node) + 1;
      if (order[edge.callee] === -1) enter(edge.callee);
      else if (open[edge.callee] === 1) low[node] = Math.min(atInt(low, node), atInt(order, edge.callee));
    }
  }
  return { component, count };
}

function edgesBetween(
  graph: CalleeLists,
  { component, count }: Components,
): Pick<Condensation, 'starts' | 'targets'> {
  const callees = Array.from({ length: count }, () => new Set<number>());
  graph.edges.forEach((edges, caller) => {
    const from = atUint(component, caller);
    for (const { callee } of edges) {
      const to = atUint(component, callee);
      if (to !== from) at(callees, from).add(to);
    }
  });
  const starts = new Uint32Array(count + 1);
  callees.forEach((set, from) => (starts[from + 1] = atUint(starts, from) + set.size));
  const targets = new Uint32Array(atUint(starts, count));
  callees.forEach((set, from) => targets.set([...set], starts[from]));
  return { starts, targets };
}
