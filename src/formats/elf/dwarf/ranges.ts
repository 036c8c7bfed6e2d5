import type { Cursor } from '../cursor';
import type { CompilationUnit, Entry } from './compilationUnit';
import type { DebugSections } from './debugSections';
import { attribute, form } from './names';

/** Code from `low` to before `high`. */
export interface CodeRange {
  readonly low: number;
  readonly high: number;
}

/** The code of an entry; empty for declarations and abstract instances. */
export function codeRanges(
  sections: DebugSections,
  unit: CompilationUnit,
  entry: Entry,
): readonly CodeRange[] {
  const low = unit.address(entry, attribute.lowPc);
  const rangesValue = entry.value(attribute.ranges);
  if (rangesValue !== undefined) {
    const base = unit.address(unit.root, attribute.lowPc) ?? 0;
    return unit.encoding.version >= 5
      ? rangeList(sections, unit, entry, rangesValue, base)
      : oldRanges(sections, unit, rangesValue, base);
  }
  const high = entry.value(attribute.highPc);
  if (low === undefined || high === undefined) return [];
  const absolute = unit.address(entry, attribute.highPc);
  return [{ low, high: absolute ?? low + high }];
}

/** Reads `.debug_ranges` of DWARF 2 to 4. */
function oldRanges(
  sections: DebugSections,
  unit: CompilationUnit,
  offset: number,
  unitBase: number,
): readonly CodeRange[] {
  const table = sections.get('.debug_ranges');
  if (table === undefined) return [];
  const cursor = table.at(offset);
  const size = unit.encoding.addressSize;
  const newBase = size === 8 ? 2 ** 64 : 2 ** 32 - 1; // 0xffff…ff; as a double, 2^64 - 1 is 2^64
  const ranges: CodeRange[] = [];
  let base = unitBase;
  for (;;) {
    const low = cursor.unsigned(size);
    const high = cursor.unsigned(size);
    if (low === 0 && high === 0) return ranges;
    if (low === newBase) base = high;
    else if (high > low) ranges.push({ low: base + low, high: base + high });
  }
}

/** Reads `.debug_rnglists` of DWARF 5 (§2.17.3). */
function rangeList(
  sections: DebugSections,
  unit: CompilationUnit,
  entry: Entry,
  value: number,
  base: number,
): readonly CodeRange[] {
  const table = sections.get('.debug_rnglists');
  if (table === undefined) return [];
  const { offsetSize } = unit.encoding;
  const listsBase = unit.root.value(attribute.rnglistsBase) ?? 0;
  const offset =
    entry.form(attribute.ranges) === form.rnglistx
      ? listsBase + table.at(listsBase + value * offsetSize).unsigned(offsetSize)
      : value;
  return readRangeList(table.at(offset), unit, base);
}

const entryKind = {
  end: 0,
  baseIndex: 1,
  startIndexEndIndex: 2,
  startIndexLength: 3,
  offsetPair: 4,
  base: 5,
  startEnd: 6,
  startLength: 7,
} as const;

function readRangeList(cursor: Cursor, unit: CompilationUnit, unitBase: number): readonly CodeRange[] {
  const ranges: CodeRange[] = [];
  const address = (): number => cursor.unsigned(unit.encoding.addressSize);
  const indexed = (): number => unit.indexedAddress(cursor.uleb()) ?? 0;
  const add = (low: number, high: number): void => {
    if (high > low) ranges.push({ low, high });
  };
  const addLength = (low: number): void => add(low, low + cursor.uleb());
  let base = unitBase;
  for (;;) {
    const kind = cursor.u8();
    switch (kind) {
      case entryKind.end:
        return ranges;
      case entryKind.baseIndex:
        base = indexed();
        break;
      case entryKind.startIndexEndIndex:
        add(indexed(), indexed());
        break;
      case entryKind.startIndexLength:
        addLength(indexed());
        break;
      case entryKind.offsetPair:
        add(base + cursor.uleb(), base + cursor.uleb());
        break;
      case entryKind.base:
        base = address();
        break;
      case entryKind.startEnd:
        add(address(), address());
        break;
      case entryKind.startLength:
        addLength(address());
        break;
      default:
        return cursor.fail(`range list entry ${kind} is not known`, cursor.offset - 1);
    }
  }
}
