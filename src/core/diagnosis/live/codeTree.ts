import { at } from '../../at';
import { entryOf, recordableBelow } from '../../callgraph/reachability';
import type { CallGraph, CallGraphFunction } from '../../callgraph/callGraph';
import { getOrMake } from '../../getOrMake';
import { present } from '../../present';
import { shownNames } from '../../names/shownNames';
import { codeName, moduleNames } from '../resources/codeNames';
import type { ResourcePath } from '../resources/focus';
import { pathKey } from '../resources/pathKey';
import type { SearchedFunction } from '../search/searchRecord';

type Named = Pick<CallGraphFunction, 'key' | 'name' | 'file'>;

/** Functions as resources of `Code`, and back; the same list gives the same names. */
export class CodeNames {
  private readonly paths = new Map<string, ResourcePath>();
  private readonly keys = new Map<string, string>();

  constructor(functions: readonly Named[]) {
    const modules = moduleNames(functions.flatMap(({ file }) => (file === undefined ? [] : [file])));
    const names = shownNames(functions.map(({ name }) => ({ name, paradigm: 'compiler' })));
    const name = codeName();
    functions.forEach(({ key, file }, index) => {
      const path = name(file === undefined ? undefined : modules.get(file), at(names, index));
      this.paths.set(key, path);
      this.keys.set(pathKey(path), key);
    });
  }

  pathOf(key: string): ResourcePath | undefined {
    return this.paths.get(key);
  }

  keyOf(code: ResourcePath): string | undefined {
    return this.keys.get(pathKey(code));
  }
}

/**
 * The functions of a program that can be recorded, with their calls: through functions that cannot (inlined ones, those of system headers) to the
 * next ones that can.
 */
export class CodeTree {
  readonly names: CodeNames;
  readonly entries: readonly ResourcePath[];
  private readonly positions: ReadonlyMap<string, number>;
  private readonly calls = new Map<number, readonly number[]>();

  constructor(
    private readonly graph: CallGraph,
    private readonly canBeRecorded: (key: string) => boolean,
  ) {
    this.names = new CodeNames(graph.functions.filter(({ key }) => canBeRecorded(key)));
    this.positions = new Map(graph.functions.map(({ key }, position) => [key, position]));
    const entry = entryOf(graph);
    const first = entry === undefined ? [] : this.isRecordable(entry) ? [entry] : this.calleesOf(entry);
    this.entries = this.pathsOf(first);
  }

  callees(of: ResourcePath): readonly ResourcePath[] {
    const position = this.positionOf(of);
    return position === undefined ? [] : this.pathsOf(this.calleesOf(position));
  }

  /** Of functions that can be recorded: what they are for readers. */
  functionOf(code: ResourcePath): SearchedFunction | undefined {
    const position = this.positionOf(code);
    if (position === undefined) return undefined;
    const { key, name, file, line } = at(this.graph.functions, position);
    return { code, key, name: at(code, code.length - 1), place: { name, ...present({ file, line }) } };
  }

  /** Whether the call graph explains that a profile shows one function below another one, when those between are not recorded. */
  explains(caller: string, callee: string, isRecorded: (key: string) => boolean): boolean {
    const [from, to] = [this.positions.get(caller), this.positions.get(callee)];
    if (from === undefined || to === undefined || from === to) return true;
    if (this.calleesOf(from).includes(to)) return true;
    const ends = (position: number): boolean =>
      position === to || isRecorded(at(this.graph.functions, position).key);
    return recordableBelow(this.graph, from, ends).includes(to);
  }

  private calleesOf(position: number): readonly number[] {
    return getOrMake(this.calls, position, () =>
      recordableBelow(this.graph, position, (callee) => this.isRecordable(callee)),
    );
  }

  private isRecordable(position: number): boolean {
    return this.canBeRecorded(at(this.graph.functions, position).key);
  }

  private positionOf(of: ResourcePath): number | undefined {
    const key = this.names.keyOf(of);
    return key === undefined ? undefined : this.positions.get(key);
  }

  private pathsOf(positions: readonly number[]): readonly ResourcePath[] {
    return positions.flatMap((position) => {
      const path = this.names.pathOf(at(this.graph.functions, position).key);
      return path === undefined ? [] : [path];
    });
  }
}
