/**
 * What the options of gcc and clang mean for us (GCC manual "Option Summary", Clang command line reference). Options that are
 * not listed belong to preprocessing and compiling and take no separate value: that is true for all `-f`, `-m`, `-W`, `-O`, `-g`.
 */
export type Role =
  | 'both'
  | 'preprocess'
  | 'dependency'
  | 'assemble'
  | 'link'
  | 'output'
  | 'language'
  | 'stop'
  /** Only asks the compiler something, or does something else than compile and link. */
  | 'inquiry'
  /** Its side files or its way of compiling need the compiler's own pipeline: entries only, no probes. */
  | 'own-pipeline';

/** Options whose value is always the next argument. */
const separate: Record<string, Role> = {
  '-Xassembler': 'assemble',
  '-Xlinker': 'link',
  '-Xpreprocessor': 'preprocess',
  '-Xclang': 'both',
  '-mllvm': 'both',
  '-target': 'both',
  '--param': 'both',
  '-aux-info': 'both',
  '-arch': 'own-pipeline',
  '-wrapper': 'own-pipeline',
  '-dumpbase': 'own-pipeline',
  '-dumpbase-ext': 'own-pipeline',
  '-dumpdir': 'own-pipeline',
  '-working-directory': 'own-pipeline',
  '-MJ': 'own-pipeline',
  '-include-pch': 'own-pipeline',
  '--serialize-diagnostics': 'own-pipeline',
  '-serialize-diagnostics': 'own-pipeline',
  '-MF': 'dependency',
  '-MT': 'dependency',
  '-MQ': 'dependency',
  '-include': 'preprocess',
  '-imacros': 'preprocess',
  '-isystem': 'preprocess',
  '-cxx-isystem': 'preprocess',
  '-idirafter': 'preprocess',
  '-iquote': 'preprocess',
  '-iprefix': 'preprocess',
  '-iwithprefix': 'preprocess',
  '-iwithprefixbefore': 'preprocess',
  '-imultilib': 'preprocess',
  '-isysroot': 'both',
  '--sysroot': 'both',
  '-framework': 'link',
  '-rpath': 'link',
  '-soname': 'link',
  '-z': 'link',
  '-u': 'link',
  '-e': 'link',
  '--entry': 'link',
  '-Tbss': 'link',
  '-Tdata': 'link',
  '-Ttext': 'link',
};

/** Options whose value is joined, or the next argument when nothing is joined. */
const joinedOrSeparate: Record<string, Role> = {
  '-o': 'output',
  '-x': 'language',
  '-I': 'preprocess',
  '-D': 'preprocess',
  '-U': 'preprocess',
  '-A': 'preprocess',
  '-L': 'link',
  '-l': 'link',
  '-T': 'link',
  '-B': 'both',
};

const flags: Record<string, Role> = {
  '-c': 'stop',
  '-S': 'inquiry',
  '-E': 'inquiry',
  '-M': 'inquiry',
  '-MM': 'inquiry',
  '-fsyntax-only': 'inquiry',
  '-###': 'inquiry',
  '--analyze': 'inquiry',
  '-emit-ast': 'inquiry',
  '--version': 'inquiry',
  '-dumpversion': 'inquiry',
  '-dumpfullversion': 'inquiry',
  '-dumpmachine': 'inquiry',
  '-dumpspecs': 'inquiry',
  '-MD': 'dependency',
  '-MMD': 'dependency',
  '-MP': 'dependency',
  '-MG': 'dependency',
  '-MV': 'dependency',
  '-P': 'preprocess',
  '-C': 'preprocess',
  '-CC': 'preprocess',
  '-undef': 'preprocess',
  '-nostdinc': 'preprocess',
  '-nostdinc++': 'preprocess',
  '-traditional-cpp': 'own-pipeline',
  '-traditional': 'own-pipeline',
  '-fdirectives-only': 'own-pipeline',
  '-frewrite-includes': 'own-pipeline',
  '-no-integrated-cpp': 'own-pipeline',
  '-static': 'link',
  '-shared': 'link',
  '-r': 'link',
  '-s': 'link',
  '-pie': 'link',
  '-no-pie': 'link',
  '-static-pie': 'link',
  '-rdynamic': 'link',
  '-nostdlib': 'link',
  '-nolibc': 'link',
  '-nodefaultlibs': 'link',
  '-nostartfiles': 'link',
  '-static-libgcc': 'link',
  '-static-libstdc++': 'link',
  '-static-libgfortran': 'link',
  '-shared-libgcc': 'link',
  // Long spellings that makefiles do use.
  '--static': 'link',
  '--shared': 'link',
  '-nostdlib++': 'link',
};

/** First match decides; for what the tables above do not name. */
const prefixes: readonly (readonly [RegExp, Role])[] = [
  [/^-?-help|^--target-help|^-print-|^--print-/, 'inquiry'],
  // GNU long spellings of short options: nobody's build uses them, and the compiler knows them best.
  [
    /^--(output|compile|assemble|preprocess|language|define-|undefine-|include|imacros|for-|library-)/,
    'inquiry',
  ],
  [/^--(user-|write-|print-missing-)?dependencies|^--(write-user-dependencies|no-standard-)$/, 'inquiry'],
  [/^-?-save-temps/, 'own-pipeline'],
  [/^-fmodules|^-fmodule-|^-fcxx-modules|^-fpch-preprocess|^-finput-charset=/, 'own-pipeline'],
  [/^-Wp,/, 'preprocess'],
  [/^-Wa,/, 'assemble'],
  [/^-Wl,|^-fuse-ld=|^--ld-path=/, 'link'],
  [/^-M[TQ]./, 'dependency'],
  [/^-MF./, 'dependency'],
  [/^-i(nclude|macros|system|dirafter|quote|prefix|withprefix)./, 'preprocess'],
];

/** The option that starts at an argument: its role, and how many arguments it spans. */
export interface OptionMeaning {
  readonly role: Role;
  readonly name: string;
  readonly span: 1 | 2;
  /** Joined or separate value; undefined for flags. */
  readonly value: string | undefined;
}

export function meaningOf(argument: string, next: string | undefined): OptionMeaning {
  const flag = own(flags, argument);
  if (flag !== undefined) return { role: flag, name: argument, span: 1, value: undefined };
  const withValue = own(separate, argument);
  if (withValue !== undefined) {
    return { role: withValue, name: argument, span: next === undefined ? 1 : 2, value: next };
  }
  const prefix = prefixes.find(([pattern]) => pattern.test(argument));
  if (prefix !== undefined) return prefixMeaning(argument, prefix[1]);
  const short = argument.slice(0, 2);
  const joined = own(joinedOrSeparate, short);
  if (joined !== undefined) {
    const separateValue = argument.length === 2;
    return {
      role: joined,
      name: short,
      span: separateValue && next !== undefined ? 2 : 1,
      value: separateValue ? next : argument.slice(2),
    };
  }
  return { role: 'both', name: argument, span: 1, value: undefined };
}

function prefixMeaning(argument: string, role: Role): OptionMeaning {
  if (/^-M[TQF]/.test(argument)) {
    return { role, name: argument.slice(0, 3), span: 1, value: argument.slice(3) };
  }
  return { role, name: argument, span: 1, value: undefined };
}

function own(table: Record<string, Role>, key: string): Role | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}
