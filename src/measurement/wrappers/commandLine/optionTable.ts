/**
 * The roles of the options of gcc and clang (GCC manual "Option Summary", Clang command line reference). Options that are
 * not listed belong to preprocessing and compiling and take no separate value, as all `-f`, `-m`, `-W`, `-O` and `-g`.
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
  /** The command queries the compiler, or does something else than compiling and linking. */
  | 'inquiry'
  /** Side files or modes that need the compiler's own pipeline: the unit gets entries and no probes. */
  | 'own-pipeline';

/** Options whose value is always the next argument. */
const separate = rolesOf({
  preprocess: `-Xpreprocessor -include -imacros -isystem -cxx-isystem -idirafter -iquote -iprefix -iwithprefix -iwithprefixbefore
    -imultilib`,
  dependency: '-MF -MT -MQ',
  both: '-Xclang -mllvm -target --param -aux-info -isysroot --sysroot',
  assemble: '-Xassembler',
  link: '-Xlinker -framework -rpath -soname -z -u -e --entry -Tbss -Tdata -Ttext',
  'own-pipeline': `-arch -wrapper -dumpbase -dumpbase-ext -dumpdir -working-directory -MJ -include-pch --serialize-diagnostics
    -serialize-diagnostics`,
});

/** Options whose value is joined, or the next argument if nothing is joined. */
const joinedOrSeparate = rolesOf({
  output: '-o',
  language: '-x',
  preprocess: '-I -D -U -A',
  link: '-L -l -T',
  both: '-B',
});

const flags = rolesOf({
  stop: '-c',
  inquiry: `-S -E -M -MM -fsyntax-only -### --analyze -emit-ast --version -dumpversion -dumpfullversion -dumpmachine -dumpspecs`,
  dependency: '-MD -MMD -MP -MG -MV',
  preprocess: '-P -C -CC -undef -nostdinc -nostdinc++',
  'own-pipeline': '-traditional-cpp -traditional -fdirectives-only -frewrite-includes -no-integrated-cpp',
  // The two long spellings occur in makefiles.
  link: `-static -shared -r -s -pie -no-pie -static-pie -rdynamic -nostdlib -nostdlib++ -nolibc -nodefaultlibs -nostartfiles
    -static-libgcc -static-libstdc++ -static-libgfortran -shared-libgcc --static --shared`,
});

/** Roles by option, from the options of each role. */
function rolesOf(options: Partial<Record<Role, string>>): ReadonlyMap<string, Role> {
  return new Map(
    Object.entries(options).flatMap(([role, names]) =>
      names.split(/\s+/).map((name) => [name, role as Role] as const),
    ),
  );
}

/** Rules for options that the tables above do not list; the first match decides. */
const prefixes: readonly (readonly [RegExp, Role])[] = [
  [/^-?-help|^--target-help|^-print-|^--print-/, 'inquiry'],
  // GNU long spellings of short options are rare in builds; the compiler handles them itself.
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
  const flag = flags.get(argument);
  if (flag !== undefined) return { role: flag, name: argument, span: 1, value: undefined };
  const withValue = separate.get(argument);
  if (withValue !== undefined)
    return { role: withValue, name: argument, span: next === undefined ? 1 : 2, value: next };
  const [, role] = prefixes.find(([pattern]) => pattern.test(argument)) ?? [];
  if (role !== undefined && /^-M[TQF]/.test(argument))
    return { role, name: argument.slice(0, 3), span: 1, value: argument.slice(3) };
  if (role !== undefined) return { role, name: argument, span: 1, value: undefined };
  const name = argument.slice(0, 2);
  const joined = joinedOrSeparate.get(name);
  if (joined === undefined) return { role: 'both', name: argument, span: 1, value: undefined };
  if (argument.length > 2) return { role: joined, name, span: 1, value: argument.slice(2) };
  return { role: joined, name, span: next === undefined ? 1 : 2, value: next };
}
