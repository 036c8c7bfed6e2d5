import { at } from '../../at';
import { present } from '../../present';
import { remembered } from '../../remembered';
import type { Unit, UnitAddress, UnitCall, UnitFunction } from '../../source/unit';
import type { CallEdge, CallGraph, CallGraphFunction, EdgeKind } from '../callGraph';
import { spellAnonymous } from '../../names/anonymous';
import { ClassHierarchy } from './classHierarchy';
import type { FunctionSymbol } from '../functionSymbol';
import { Nodes, type Node } from './nodes';
import { NameResolver } from './resolveNames';
import { PointerTargets } from './pointerTargets';
import { SourceFunctions, type SourceFunction } from './sourceFunctions';

/** How an edge between functions of the units is known. */
type UnitEdgeKind = Exclude<EdgeKind, 'measured' | 'outside'>;
/** Of several kinds of calls between two functions the strongest counts. */
const strength: Readonly<Record<UnitEdgeKind, number>> = { direct: 3, virtual: 2, pointer: 1, callback: 0 };

/**
 * Puts the fragments of all units together to the call graph of the program.
 *
 * Direct calls come from the compiler's graph where there is one, else from names. Virtual calls lead to every overrider below the
 * receiver's static class, calls through pointers to the functions whose address is taken and whose type fits. A function
 * that is passed to a function of another library counts as called from there.
 * `symbols` (from the executable's debug information) give mangled names where no compiler graph does.
 */
export function mergeUnits(units: readonly Unit[], symbols: readonly FunctionSymbol[] = []): CallGraph {
  return new Merger(units, symbols).run();
}

class Merger {
  private readonly sources: SourceFunctions;
  private readonly nodes: Nodes;
  private readonly names: NameResolver;
  private readonly hierarchy: ClassHierarchy;
  private readonly pointers: PointerTargets;
  private readonly edges: Map<number, UnitEdgeKind>[];

  constructor(
    private readonly units: readonly Unit[],
    symbols: readonly FunctionSymbol[],
  ) {
    this.sources = new SourceFunctions(units);
    this.nodes = new Nodes(units, this.sources, symbols);
    this.names = new NameResolver(this.sources, units);
    this.hierarchy = new ClassHierarchy(units.flatMap((unit) => unit.compiler?.classes ?? []));
    this.pointers = new PointerTargets(units, this.sources, this.names, this.nodes);
    this.edges = this.nodes.all.map(() => new Map<number, UnitEdgeKind>());
  }

  run(): CallGraph {
    for (const node of this.nodes.all) {
      for (const { unit, record } of node.compiled) {
        for (const callee of record.callees) this.connect(node, this.nodes.named(unit, callee), 'direct');
        for (const { type, slot } of record.virtualCalls) this.virtualCall(node, unit, type, slot);
      }
      if (node.source !== undefined) this.sourceCalls(node, node.source);
    }
    return this.finish();
  }

  private connect(caller: Node, callee: Node | undefined, kind: UnitEdgeKind): void {
    if (callee === undefined) return;
    const list = at(this.edges, caller.number);
    const before = list.get(callee.number);
    if (before === undefined || strength[before] < strength[kind]) list.set(callee.number, kind);
  }

  private virtualCall(caller: Node, unit: number, type: string, slot: number): void {
    for (const target of this.hierarchy.targets(type, slot)) {
      this.connect(caller, this.nodes.named(unit, target) ?? this.anywhere(target), 'virtual');
    }
  }

  /** A function with a table entry may be local to another unit. */
  private anywhere(mangledName: string): Node | undefined {
    const found = this.nodes.global(mangledName);
    if (found !== undefined) return found;
    for (let unit = 0; unit < this.units.length; unit++) {
      const local = this.nodes.named(unit, mangledName);
      if (local !== undefined) return local;
    }
    return undefined;
  }

  private sourceCalls(node: Node, source: SourceFunction): void {
    const isCompiled = node.compiled.length > 0;
    const indirect = node.compiled.some(({ record }) => record.indirectCalls > 0);
    for (const call of source.record.calls) {
      if (call.form === 'pointer') {
        if (!isCompiled || indirect) this.pointerCall(node, source, call);
      } else if (!isCompiled) this.namedCall(node, source, call);
    }
    for (const address of source.record.addressTaken) this.callback(node, source, address, isCompiled);
  }

  private namedCall(node: Node, source: SourceFunction, call: UnitCall): void {
    const callees = this.names.resolve(call, source);
    for (const callee of callees) {
      const kind =
        call.form === 'member' && callees.length > 1 && this.names.isVirtual(callee.record)
          ? 'virtual'
          : 'direct';
      for (const target of this.nodes.of(callee)) this.connect(node, target, kind);
    }
    if (callees.length === 0 && call.form === 'plain' && source.language === 'c') {
      this.connect(node, this.nodes.global(call.name), 'direct');
    }
  }

  private pointerCall(node: Node, source: SourceFunction, call: UnitCall): void {
    for (const target of this.pointers.targets(call, source, node.compiled.length > 0))
      this.connect(node, target, 'pointer');
  }

  /** Only to functions of libraries: the calls of the user's own functions are known more precisely. */
  private callback(node: Node, source: SourceFunction, address: UnitAddress, isCompiled: boolean): void {
    if (address.passedTo === undefined) return;
    const isLambda = address.name.includes('<lambda');
    if (isLambda && isCompiled) return;
    if (this.pointers.isUserFunction(address.passedTo, source)) return;
    for (const target of this.pointers.named(address, source)) this.connect(node, target, 'callback');
  }

  // --- result ------------------------------------------------------------------------------------------------------

  private finish(): CallGraph {
    const overrides = this.overrides();
    const uses = new Map<string, number>();
    for (const node of this.nodes.all) {
      if (node.mangledName !== undefined) uses.set(node.mangledName, (uses.get(node.mangledName) ?? 0) + 1);
    }
    const keys = new Set<string>();
    const functions = this.nodes.all.map((node) =>
      describe(
        node,
        uniqueKey(node, uses, keys),
        [...(overrides.get(node.number) ?? [])].sort((a, b) => a - b),
        this.names,
      ),
    );
    const edges = this.edges.map((list): CallEdge[] =>
      [...list].map(([callee, kind]) => ({ callee, kind })).sort((a, b) => a.callee - b.callee),
    );
    const entry = this.nodes.all.find(
      (node) => node.hasBody && (node.mangledName === 'main' || node.mangledName === 'MAIN__'),
    );
    return { functions, edges, ...present({ entry: entry?.number }) };
  }

  private overrides(): Map<number, Set<number>> {
    const result = new Map<number, Set<number>>();
    const note = (over: Node | undefined, under: Node | undefined): void => {
      if (over === undefined || under === undefined || over === under) return;
      remembered(result, over.number, () => new Set<number>()).add(under.number);
    };
    for (const [over, under] of this.hierarchy.overrides()) note(this.anywhere(over), this.anywhere(under));
    for (const source of this.sources.all) {
      for (const under of this.names.overridden(source.record)) {
        for (const node of this.nodes.of(source)) note(node, this.nodes.of(under)[0]);
      }
    }
    return result;
  }
}

function uniqueKey(node: Node, uses: ReadonlyMap<string, number>, keys: Set<string>): string {
  const { mangledName, source } = node;
  const place = source === undefined ? '' : `@${source.record.file}:${source.record.line}`;
  const placed = `${mangledName ?? node.shownName}${place}`;
  let key = mangledName !== undefined && uses.get(mangledName) === 1 ? mangledName : placed;
  for (let copy = 2; keys.has(key); copy++) key = `${placed}#${copy}`;
  keys.add(key);
  return key;
}

const unknownCounts = { statements: 0, loops: 0, loopDepth: 0, conditionalBranches: 0 };

function describe(
  node: Node,
  key: string,
  overrides: readonly number[],
  names: NameResolver,
): CallGraphFunction {
  const record = node.source?.record;
  return {
    key,
    name: spellAnonymous(node.shownName),
    ...present({ mangledName: node.mangledName }),
    ...(record === undefined ? unknownCounts : placeAndCounts(record)),
    hasBody: node.hasBody,
    isVirtual: overrides.length > 0 || (record !== undefined && names.isVirtual(record)),
    overrides,
    isSystem: !node.isUser,
    ...(node.compiled.some(({ record: compiled }) => compiled.isArtificial === true)
      ? { isArtificial: true }
      : {}),
    definitions: node.source?.definitions ?? [],
  };
}

function placeAndCounts(
  record: UnitFunction,
): Pick<CallGraphFunction, 'file' | 'line' | 'column' | 'endLine' | keyof typeof unknownCounts> {
  const { file, line, column, endLine, statements, loops, loopDepth, conditionalBranches } = record;
  return { file, line, column, endLine, statements, loops, loopDepth, conditionalBranches };
}
