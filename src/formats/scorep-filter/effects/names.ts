import { anonymousNamespace, spellAnonymous } from '../../../core/names/anonymous';

/** A function of a program, to which a filter is applied. */
export interface KnownFunction {
  /** The name that Kymo shows; with `exactName`, Score-P's spelling. */
  readonly name: string;
  readonly mangledName?: string;
  /** Absolute path of the source. */
  readonly file?: string;
  /** Declared inline, or defined in its class. */
  readonly inline?: boolean;
  /** Positions of the nearest callers that can be instrumented, if the compiler inlined all calls of the function. */
  readonly inlinedInto?: readonly number[];
  /** Whether `name` is Score-P's spelling, from a Score-P profile. */
  readonly exactName?: boolean;
}

/** The spelling of Score-P's plug-in. */
const anonymousOfGcc = '{anonymous}';

/** A name for comparison with patterns for demangled names. */
export interface ShownName {
  readonly text: string;
  /** Whether the spelling is certain. For C++ it is not, since gcc prints return type, parameters and typedefs: `text` is the best guess. */
  readonly exact: boolean;
  /** A second guess; undefined if there is none. */
  readonly other?: string;
}

/** Placeholder for unknown text; no pattern has this character, so only wildcards match it. */
const unknown = '\ufffc';

/**
 * Score-P's spelling of a name: in C the name itself, in Fortran `module::name`, in C++ gcc's pretty-printed signature, whose
 * qualified name alone is known.
 */
export function shownName({ name, mangledName, file, exactName }: KnownFunction): ShownName {
  if (exactName === true) return { text: name, exact: true };
  if (name === mangledName && name.startsWith('_Z')) return { text: unknown, exact: false };
  const module = /^__(.+)_MOD_(.+)$/.exec(mangledName ?? '');
  if (module !== null) return { text: `${module[1] ?? ''}::${module[2] ?? ''}`, exact: true };
  if (file !== undefined && /\.(?:c|f|for|f77|f90|f95|f03|f08)$/.test(file))
    return { text: name, exact: true };
  if (file !== undefined && /\.(?:F|FOR|F77|F90|F95|F03|F08)$/.test(file)) return { text: name, exact: true };
  const text = spellAnonymous(name).replaceAll(anonymousNamespace, anonymousOfGcc);
  const hasParameters = text.includes('(');
  return { text, exact: false, other: `${unknown} ${hasParameters ? text : `${text}(${unknown})`}` };
}
