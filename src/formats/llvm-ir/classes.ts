import type { CompilerClass } from '../../core/source/unit';
import type { GlobalValue } from './globalValue';
import type { Metadata } from './metadata';
import { globalName, namesIn } from './symbolNames';

const tablePattern = /\[\d+ x ptr\] \[([^\]]*)\]/g;
const entryPattern = new RegExp(
  String.raw`ptr (${globalName}|null|\w+ \([^()]*(?:\([^()]*\)[^()]*)?\))`,
  'g',
);

/** The unit's classes with virtual tables or type information. */
export function readClasses(data: readonly GlobalValue[]): CompilerClass[] {
  const bases = new Map<string, readonly string[]>();
  const tables = new Map<string, CompilerClass['tables']>();
  for (const { name, text } of data) {
    const className = name.slice(4);
    if (name.startsWith('_ZTI')) bases.set(className, baseNames(text));
    else if (name.startsWith('_ZTV')) tables.set(className, slotsOfTables(text));
  }
  return [...new Set([...bases.keys(), ...tables.keys()])].map((mangledName) => {
    const slots = tables.get(mangledName) ?? [];
    return { mangledName, bases: bases.get(mangledName) ?? [], tables: slots, isComplete: slots.length > 0 };
  });
}

function baseNames(typeInformation: string): readonly string[] {
  return [...namesIn(typeInformation)].filter((name) => name.startsWith('_ZTI')).map((name) => name.slice(4));
}

/** Offsets and the type information (or null) precede the slots. A slot without a function is empty. */
function slotsOfTables(text: string): CompilerClass['tables'] {
  return [...text.matchAll(tablePattern)].map(([, list = '']) => {
    const entries = [...list.matchAll(entryPattern)].map(([, entry = '']) => nameOf(entry));
    const typeInformation = entries.findIndex((name) => name.startsWith('_ZTI'));
    if (typeInformation >= 0) return entries.slice(typeInformation + 1);
    const first = entries.findIndex((name) => name !== '');
    return first < 0 ? [] : entries.slice(first);
  });
}

/** Finds names in wrappers, too: `dso_local_equivalent @f`, `ptrauth (ptr @f, i32 0)`. */
function nameOf(entry: string): string {
  for (const name of namesIn(entry)) return name;
  return '';
}

/**
 * Names of the classes that `type.test` refers to by metadata nodes because they have no linkage name (in unnamed namespaces). The
 * virtual tables of the class and of all derived classes carry the node; the table of the class itself has the fewest nodes.
 */
export function localTypes(data: readonly GlobalValue[], metadata: Metadata): ReadonlyMap<number, string> {
  const carriers = data
    .filter(({ name }) => name.startsWith('_ZTV'))
    .map(({ name, text }) => ({
      type: `_ZTS${name.slice(4)}`,
      ids: [...text.matchAll(/!type !(\d+)/g)].map(([, number]) => metadata.list(Number(number)).at(-1)),
    }))
    .sort((a, b) => a.ids.length - b.ids.length);
  const types = new Map<number, string>();
  for (const { type, ids } of carriers) {
    for (const id of ids) if (id !== undefined && !types.has(id)) types.set(id, type);
  }
  return types;
}
