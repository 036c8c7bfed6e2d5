/**
 * The parts of Itanium C++ ABI names that the call graph needs: the parts of a nested name, and the functions that are variants of one
 * constructor or destructor.
 */
export interface NestedName {
  /** Offsets of the last part in the mangled name, without template arguments. */
  readonly last: { readonly start: number; readonly end: number };
  /** Where the parameters begin. */
  readonly end: number;
  readonly isConst: boolean;
}

/** Reads `_ZN…E` (and `_ZNK…E`); undefined for other and unsupported names. */
export function readNestedName(mangled: string): NestedName | undefined {
  const head = /^_ZN[rVKRO]*/.exec(mangled);
  if (head === null) return undefined;
  let last: NestedName['last'] | undefined;
  let offset = head[0].length;
  while (offset < mangled.length && mangled[offset] !== 'E') {
    if (mangled[offset] === 'I') {
      const after = skipArguments(mangled, offset);
      if (after === undefined) return undefined;
      offset = after;
      continue;
    }
    const end = partEnd(mangled, offset);
    if (end === undefined) return undefined;
    last = { start: offset, end };
    offset = end;
  }
  if (mangled[offset] !== 'E' || last === undefined) return undefined;
  return { last, end: offset + 1, isConst: head[0].includes('K') };
}

function partEnd(mangled: string, offset: number): number | undefined {
  const rest = mangled.slice(offset, offset + 24);
  const identifier = /^(L?)(\d+)/.exec(rest);
  if (identifier !== null) return offset + identifier[0].length + Number(identifier[2]);
  const special = /^(?:S[0-9A-Z]*_|S[tabsiod]|T\d*_|[CD][0-5]|Ut\d*_|cv|[a-z][a-zA-Z])/.exec(rest);
  return special === null ? undefined : offset + special[0].length;
}

const openers = new Set(['N', 'I', 'X', 'L', 'F', 'J']);

function skipArguments(mangled: string, start: number): number | undefined {
  let depth = 0;
  for (let offset = start; offset < mangled.length;) {
    const rest = mangled.slice(offset, offset + 24);
    const identifier = /^\d+/.exec(rest);
    const letter = mangled.charAt(offset);
    if (identifier !== null) offset += identifier[0].length + Number(identifier[0]);
    else if (/^(?:S[0-9A-Z]*_|T\d*_|A\d*_)/.test(rest)) offset += mangled.indexOf('_', offset) - offset + 1;
    else if (/^L[a-z]n?\d*E/.test(rest)) offset = mangled.indexOf('E', offset) + 1;
    else if (/^D[tT]/.test(rest)) {
      depth++;
      offset += 2;
    } else if (/^(?:S[tabsiod]|D.)/.test(rest)) offset += 2;
    else {
      if (openers.has(letter)) depth++;
      else if (letter === 'E') depth--;
      offset++;
      if (depth === 0) return offset;
    }
  }
  return undefined;
}

/**
 * One name for the variants of a constructor or destructor that have one source: complete (1) for base (2) and unified (5).
 * The deleting destructor (D0) stays itself; it calls D1.
 */
export function canonicalVariant(mangled: string): string {
  if (!/[CD][25]/.test(mangled)) return mangled;
  const last = readNestedName(mangled)?.last;
  if (last === undefined) return mangled;
  const text = mangled.slice(last.start, last.end);
  if (!/^[CD][25]$/.test(text)) return mangled;
  return `${mangled.slice(0, last.start)}${text.slice(0, 1)}1${mangled.slice(last.end)}`;
}

/** Name, constness and parameters of a member function without its class: equal for all that override each other. */
export function methodIdentity(mangled: string): string | undefined {
  const nested = readNestedName(mangled);
  if (nested === undefined) return undefined;
  const { last } = nested;
  return `${mangled.slice(last.start, last.end)}${nested.isConst ? ' const ' : ' '}${mangled.slice(nested.end)}`;
}

/** The last identifier of a mangled type without prefix: `Shape` of `5Shape` and of `N2n15ShapeE`. */
export function typeIdentifier(mangledType: string): string {
  const mangled = `_ZN${mangledType.startsWith('N') ? mangledType.slice(1) : `${mangledType}E`}`;
  const last = readNestedName(mangled)?.last;
  if (last === undefined) return mangledType;
  return mangled.slice(last.start, last.end).replace(/^L?\d+/, '');
}
