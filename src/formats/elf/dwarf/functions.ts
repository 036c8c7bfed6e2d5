import { at, atFloat } from '../../../core/at';
import { firstPosition } from '../../../core/firstPosition';
import { present } from '../../../core/present';
import type { Cursor } from '../cursor';
import type { ElfFile } from '../elfFile';
import type { Abbreviation } from './abbreviations';
import { readUnits, type CompilationUnit, type Entry } from './compilationUnit';
import { DebugSections } from './debugSections';
import { linesOf } from './lineProgram';
import { readLineTable, type LineTable } from './lineTable';
import { attribute, tag } from './names';
import { codeRanges, type CodeRange } from './ranges';

/** A function as the debug information describes it; copies in several units are one function. */
export interface DebugFunction {
  /** Name in the source, without namespaces. */
  readonly name: string;
  /** Name for the linker, if it differs. */
  readonly linkageName?: string;
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  readonly isExternal: boolean;
}

/** One out-of-line copy. The first range contains the entry point. */
export interface FunctionBody {
  /** Position in `DebugFunctions.functions`. */
  readonly function: number;
  readonly ranges: readonly CodeRange[];
}

/** Number of direct inlined copies of a function in another one (which may itself be inlined). */
export interface InlineCopies {
  readonly callee: number;
  readonly caller: number;
  readonly copies: number;
}

export interface DebugFunctions {
  readonly functions: readonly DebugFunction[];
  readonly bodies: readonly FunctionBody[];
  readonly inlined: readonly InlineCopies[];
  /** For each requested address, the functions whose code it is: the out-of-line one first, then those inlined there, from outer to inner. */
  readonly chains: readonly (readonly number[])[];
  /** Number of units whose debug information is in other files (split DWARF) and missing here. */
  readonly splitUnits: number;
}

/**
 * Reads the functions of the program: where they are defined, where their code is, and which functions are inlined into which.
 * The generator yields the completed share of the work after each unit, so that its caller can let other tasks run.
 *
 * @param addresses ascending; the result has the chains of these
 * @throws KymoError<'invalid-dwarf'>
 */
export function* readDebugFunctions(
  file: ElfFile,
  addresses: Float64Array,
): Generator<number, DebugFunctions, void> {
  const sections = new DebugSections(file);
  const units = [...readUnits(sections)];
  const collector = new Collector(sections, units, addresses);
  for (const [index, unit] of units.entries()) {
    if (unit.hasCode) collector.walk(unit);
    yield (index + 1) / units.length;
  }
  return collector.result();
}

/** More hops between an entry and its origin indicate a cycle. */
const maximumHops = 16;

interface Scope {
  readonly depth: number;
  readonly function: number;
}

function closeScopes(scopes: Scope[], depth: number): void {
  for (let last = scopes.at(-1); last !== undefined && last.depth >= depth; last = scopes.at(-1))
    scopes.pop();
}

class Collector {
  private readonly functions: DebugFunction[] = [];
  private readonly byIdentity = new Map<string, number>();
  private readonly byEntry = new Map<number, number>();
  private readonly bodies: FunctionBody[] = [];
  /** Numbers of copies by callee, then by caller. */
  private readonly inlined = new Map<number, Map<number, number>>();
  private readonly chains: number[][];
  private readonly lineTables = new Map<number, LineTable | undefined>();
  private splitUnits = 0;

  constructor(
    private readonly sections: DebugSections,
    private readonly units: readonly CompilationUnit[],
    private readonly addresses: Float64Array,
  ) {
    this.chains = Array.from(addresses, () => []);
  }

  /** Visits all entries of a unit without recursion, since the file determines the depth of nesting. */
  walk(unit: CompilationUnit): void {
    if (unit.isSplit) this.splitUnits++;
    const firstBody = this.bodies.length;
    const cursor = unit.cursor();
    const scopes: Scope[] = [];
    let depth = 0;
    do {
      const place = cursor.offset;
      const abbreviation = unit.abbreviation(cursor);
      if (abbreviation === undefined) {
        depth--;
        closeScopes(scopes, depth);
      } else {
        const scope = this.enter(unit, cursor, place, abbreviation, scopes.at(-1));
        if (abbreviation.hasChildren) {
          if (scope !== undefined) scopes.push({ ...scope, depth });
          depth++;
        }
      }
    } while (depth > 0 && !cursor.atEnd);
    this.placeArtificial(unit, firstBody);
  }

  result(): DebugFunctions {
    const inlined: InlineCopies[] = [];
    for (const [callee, callers] of this.inlined) {
      for (const [caller, copies] of callers) inlined.push({ callee, caller, copies });
    }
    const { functions, bodies, chains, splitUnits } = this;
    return { functions, bodies, inlined, chains, splitUnits };
  }

  /** Processes one entry; returns the function that its children belong to if it begins one. */
  private enter(
    unit: CompilationUnit,
    cursor: Cursor,
    place: number,
    abbreviation: Abbreviation,
    outer: Scope | undefined,
  ): Omit<Scope, 'depth'> | undefined {
    if (abbreviation.tag === tag.subprogram) {
      const body = this.addBody(unit, place, unit.readEntry(cursor, abbreviation));
      return body === undefined ? undefined : { function: body };
    }
    if (abbreviation.tag === tag.inlinedSubroutine) {
      const entry = unit.readEntry(cursor, abbreviation);
      if (outer === undefined) return undefined; // The linker discarded the code around it.
      const copy = this.addInlined(unit, place, entry, outer);
      return copy === undefined ? undefined : { function: copy };
    }
    unit.skipEntry(cursor, abbreviation);
    return undefined;
  }

  /** Adds an entry with code. Declarations and abstract instances have none; references find them. */
  private addBody(unit: CompilationUnit, place: number, entry: Entry): number | undefined {
    if (!entry.has(attribute.lowPc) && !entry.has(attribute.ranges)) return undefined;
    // Linkers write 0, 1 or the highest addresses into entries of discarded code.
    const ranges = codeRanges(this.sections, unit, entry).filter((r) => this.sections.file.isCode(r.low));
    if (ranges.length === 0) return undefined;
    const position = this.functionAt(unit, place);
    if (position === undefined) return undefined;
    this.bodies.push({ function: position, ranges });
    for (const range of ranges) this.mark(range, (chain) => chain.splice(0, chain.length, position));
    return position;
  }

  private addInlined(unit: CompilationUnit, place: number, entry: Entry, caller: Scope): number | undefined {
    const position = this.functionAt(unit, place);
    if (position === undefined) return undefined;
    const callers = this.inlined.get(position) ?? new Map<number, number>();
    this.inlined.set(position, callers);
    callers.set(caller.function, (callers.get(caller.function) ?? 0) + 1);
    for (const range of codeRanges(this.sections, unit, entry)) {
      this.mark(range, (chain) => {
        if (chain.length > 0 && chain.at(-1) !== position) chain.push(position);
      });
    }
    return position;
  }

  private mark(range: CodeRange, action: (chain: number[]) => void): void {
    const { addresses, chains } = this;
    const first = firstPosition(addresses.length, (position) => atFloat(addresses, position) >= range.low);
    for (let i = first; i < addresses.length && atFloat(addresses, i) < range.high; i++)
      action(at(chains, i));
  }

  /** The function of an entry: its attributes are spread over the entry, its origin and its declaration. */
  private functionAt(unit: CompilationUnit, place: number): number | undefined {
    // Entries without name and place are the same function as their origin.
    const same: number[] = [];
    const parts: Parts = { isExternal: false };
    let [nextUnit, next]: [CompilationUnit | undefined, number] = [unit, place];
    for (let hops = 0; nextUnit !== undefined; hops++) {
      if (hops > maximumHops) nextUnit.cursor(place).fail('an entry is its own origin');
      if (isEmpty(parts)) {
        const position = this.byEntry.get(next);
        if (position !== undefined) return this.remember(same, position);
        if (hops > 0) same.push(next);
      }
      const cursor = nextUnit.cursor(next);
      const abbreviation = nextUnit.abbreviation(cursor);
      if (abbreviation === undefined) break;
      const entry = nextUnit.readEntry(cursor, abbreviation);
      this.collect(parts, nextUnit, entry);
      const origin =
        nextUnit.reference(entry, attribute.abstractOrigin) ??
        nextUnit.reference(entry, attribute.specification);
      if (origin === undefined) break;
      next = origin;
      nextUnit = this.unitAt(origin);
    }
    const position = this.intern(parts);
    return position === undefined ? undefined : this.remember(same, position);
  }

  private collect(parts: Parts, unit: CompilationUnit, entry: Entry): void {
    parts.linkageName ??=
      unit.string(entry, attribute.linkageName) ?? unit.string(entry, attribute.mipsLinkageName);
    parts.name ??= unit.string(entry, attribute.name);
    parts.line ??= entry.value(attribute.declLine);
    parts.column ??= entry.value(attribute.declColumn);
    const file = entry.value(attribute.declFile);
    if (parts.file === undefined && file !== undefined) parts.file = this.fileName(unit, file);
    parts.isExternal ||= entry.value(attribute.external) === 1;
  }

  private intern(parts: Parts): number | undefined {
    const name = parts.name ?? parts.linkageName;
    if (name === undefined) return undefined;
    const identity = [parts.linkageName ?? name, parts.file ?? '', parts.line ?? ''].join('\0');
    const position = this.byIdentity.get(identity);
    if (position !== undefined) return position;
    const index = this.functions.length;
    this.byIdentity.set(identity, index);
    const { linkageName, file, line, column, isExternal } = parts;
    this.functions.push({ name, isExternal, ...present({ linkageName, file, line, column }) });
    return index;
  }

  private remember(entries: readonly number[], position: number): number {
    for (const entry of entries) this.byEntry.set(entry, position);
    return position;
  }

  private fileName(unit: CompilationUnit, index: number): string | undefined {
    return this.lineTableOf(unit)?.files[index];
  }

  private lineTableOf(unit: CompilationUnit): LineTable | undefined {
    const offset = unit.lineTable;
    if (offset === undefined) return undefined;
    if (!this.lineTables.has(offset))
      this.lineTables.set(offset, readLineTable(this.sections, offset, unit.directory));
    return this.lineTables.get(offset);
  }

  /** Compiler-made functions (bodies of OpenMP regions) have no declaration: their place is the line of their first instruction. */
  private placeArtificial(unit: CompilationUnit, firstBody: number): void {
    const entries = new Map<number, number>();
    for (const { function: position, ranges } of this.bodies.slice(firstBody)) {
      const low = ranges[0]?.low;
      if (low !== undefined && this.functions[position]?.line === undefined) entries.set(low, position);
    }
    const table = entries.size === 0 ? undefined : this.lineTableOf(unit);
    if (table === undefined) return;
    const lines = linesOf(
      table,
      [...entries.keys()].sort((a, b) => a - b),
    );
    for (const [address, { file, line }] of lines) {
      const position = entries.get(address) ?? -1;
      const artificial = this.functions[position];
      if (artificial !== undefined && file !== undefined)
        this.functions[position] = { ...artificial, file, line };
    }
  }

  private unitAt(offset: number): CompilationUnit | undefined {
    const { units } = this;
    return units[firstPosition(units.length, (position) => at(units, position).end > offset)];
  }
}

interface Parts {
  name?: string | undefined;
  linkageName?: string | undefined;
  file?: string | undefined;
  line?: number | undefined;
  column?: number | undefined;
  isExternal: boolean;
}

function isEmpty(parts: Parts): boolean {
  return parts.name === undefined && parts.linkageName === undefined && parts.line === undefined;
}
