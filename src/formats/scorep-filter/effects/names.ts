import { anonymousNamespace, spellAnonymous } from '../../../core/names/anonymous';

/** A function of a program, for questions about a filter. */
export interface KnownFunction {
  /** The name that Kymo shows; with `exactName`, Score-P's spelling. */
  readonly name: string;
  readonly mangledName?: string;
  /** Absolute path of the source. */
  readonly file?: string;
  /** Declared inline, or defined in its class. */
  readonly inline?: boolean;
  /** Positions of the nearest callers that can be instrumented, where the compiler has inlined it everywhere. */
  readonly inlinedInto?: readonly number[];
  /** `name` is spelled as Score-P prints it: it comes from a Score-P profile. */
  readonly exactName?: boolean;
}

/** In what Score-P's plug-in prints. */
const anonymousOfGcc = '{anonymous}';

/** What a pattern for demangled names is compared with. */
export interface ShownName {
  readonly text: string;
  /** False: the spelling is not known – of C++, gcc prints return type, parameters and typedefs – and `text` is the best guess. */
  readonly exact: boolean;
  /** A second guess; undefined where there is none. */
  readonly other?: string;
}

/** Stands for what is not known; no pattern has it, so that only wildcards match it. */
const unknown = '\ufffc';

/**
 * Score-P's spelling of a name: in C the name itself, in Fortran `module::name`, in C++ gcc's pretty-printed signature, of which
 * only the qualified name is known.
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
