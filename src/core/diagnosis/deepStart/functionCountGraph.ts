import { at } from '../../at';
import type { CalleeLists } from '../../callgraph/condense';
import { getOrMake } from '../../getOrMake';
import type { ResourcePath } from '../resources/focus';
import { printResource } from '../resources/focusText';

/** The stack of a process at a moment. */
export interface StackSample {
  /** Host and process: a path of `Machine`. Names below the process, as of a thread, are not counted apart. */
  readonly machine: ResourcePath;
  /** Functions, outermost first: paths of `Code`. */
  readonly functions: readonly ResourcePath[];
}

/** Numbers of samples: of the whole program, of each host and of each process. */
type CountTree = Map<string, number>;

interface CountedFunction {
  readonly path: ResourcePath;
  readonly counts: CountTree;
  /** Greatest distance from the outermost function in a sample. */
  maxDepth: number;
}

/**
 * Stack samples folded to one node for each function, however it was reached ([D 6.1], specification 7.3), so that
 * what all its callers spend in it is counted together.
 */
export class FunctionCountGraph implements CalleeLists {
  private readonly positions = new Map<string, number>();
  private readonly counted: CountedFunction[] = [];
  private readonly callees: { readonly callee: number }[][] = [];
  private readonly totals: CountTree = new Map();

  /** In the order in which they were first seen. */
  get functions(): readonly Readonly<Pick<CountedFunction, 'path' | 'maxDepth'>>[] {
    return this.counted;
  }

  /** Calls between functions that samples showed. */
  get edges(): CalleeLists['edges'] {
    return this.callees;
  }

  /** A function that is several times in a sample (recursion) is counted once. */
  add({ machine, functions }: StackSample): void {
    const scopes = scopesOf(machine);
    countIn(this.totals, scopes);
    const seen = new Set<number>();
    let caller: number | undefined;
    functions.forEach((path, depth) => {
      const own = this.positionOf(path);
      const { counts, maxDepth } = at(this.counted, own);
      at(this.counted, own).maxDepth = Math.max(maxDepth, depth);
      if (!seen.has(own)) countIn(counts, scopes);
      seen.add(own);
      if (caller !== undefined && caller !== own) this.connect(caller, own);
      caller = own;
    });
  }

  /** Samples in which a function was on the stack, in the narrowest of program, host and process that covers `machine`. */
  count(path: ResourcePath, machine: ResourcePath): number {
    const own = this.positions.get(keyOf(path));
    return own === undefined ? 0 : countOf(at(this.counted, own).counts, machine);
  }

  /** All samples there. */
  total(machine: ResourcePath): number {
    return countOf(this.totals, machine);
  }

  /** Functions that samples showed to be called by one. */
  calleesOf(path: ResourcePath): readonly ResourcePath[] {
    const own = this.positions.get(keyOf(path));
    return own === undefined ? [] : at(this.callees, own).map(({ callee }) => at(this.counted, callee).path);
  }

  private positionOf(path: ResourcePath): number {
    return getOrMake(this.positions, keyOf(path), () => {
      this.callees.push([]);
      return this.counted.push({ path, counts: new Map(), maxDepth: 0 }) - 1;
    });
  }

  private connect(caller: number, callee: number): void {
    const known = at(this.callees, caller);
    if (!known.some((edge) => edge.callee === callee)) known.push({ callee });
  }
}

/** Of a function. */
export function keyOf(code: ResourcePath): string {
  return printResource('Code', code);
}

/** Program, host and process. */
function scopesOf(machine: ResourcePath): readonly string[] {
  const lengths = [0, 1, 2].filter((length) => length <= machine.length);
  return lengths.map((length) => printResource('Machine', machine.slice(0, length)));
}

function countIn(counts: CountTree, scopes: readonly string[]): void {
  for (const scope of scopes) counts.set(scope, (counts.get(scope) ?? 0) + 1);
}

function countOf(counts: CountTree, machine: ResourcePath): number {
  return counts.get(printResource('Machine', machine.slice(0, 2))) ?? 0;
}
