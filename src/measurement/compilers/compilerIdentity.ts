import { execFile } from 'node:child_process';

/** Family, version and processor of a compiler. */
export interface CompilerIdentity {
  /** Kymo uses options of `gcc` and `clang`; any other compiler is run unchanged. */
  readonly family: 'gcc' | 'clang' | 'other';
  /** Such as `12.2.0`; empty when unknown. */
  readonly version: string;
  readonly architecture: 'x86-64' | 'aarch64' | 'other';
}

/**
 * Reads the identity from the macros that the compiler predefines. This also works through MPI's wrappers and ccache, and distinguishes
 * clang-based compilers of vendors from those that only imitate gcc.
 */
export function identityOfMacros(text: string): CompilerIdentity {
  const macros = new Map<string, string>();
  for (const [, name, value] of text.matchAll(/^#define (\w+) (.*)$/gm)) {
    if (name !== undefined) macros.set(name, value ?? '');
  }
  const version = (...names: readonly string[]): string =>
    names
      .map((name) => macros.get(name) ?? '')
      .filter((part) => part !== '')
      .join('.');
  const architecture =
    macros.has('__x86_64__') && !macros.has('__ILP32__')
      ? 'x86-64'
      : macros.has('__aarch64__') && !macros.has('__AARCH64EB__')
        ? 'aarch64'
        : 'other';
  if (macros.has('__clang__')) {
    return {
      family: 'clang',
      version: version('__clang_major__', '__clang_minor__', '__clang_patchlevel__'),
      architecture,
    };
  }
  const gcc = macros.has('__GNUC__') && !imitators.some((name) => macros.has(name));
  return {
    family: gcc ? 'gcc' : 'other',
    version: gcc ? version('__GNUC__', '__GNUC_MINOR__', '__GNUC_PATCHLEVEL__') : '',
    architecture,
  };
}

/** Macros of compilers that also define `__GNUC__`. */
const imitators = '__INTEL_COMPILER __NVCOMPILER __PGI __OPEN64__ _CRAYC __TINYC__ __SUNPRO_C'.split(' ');

/**
 * Asks the compiler; undefined when it does not answer.
 * @param words the program and the words before its options
 */
export async function identifyCompiler(
  words: readonly [string, ...string[]],
): Promise<CompilerIdentity | undefined> {
  const [program, ...rest] = words;
  const text = await output(program, [...rest, '-x', 'c', '-E', '-dM', '/dev/null']);
  return !text?.includes('#define ') ? undefined : identityOfMacros(text);
}

function output(program: string, argumentList: readonly string[]): Promise<string | undefined> {
  return new Promise((resolve) => {
    execFile(
      program,
      argumentList,
      { timeout: 30_000, maxBuffer: 1 << 24, env: { ...process.env, LC_ALL: 'C', KYMO_WRAPPER: 'off' } },
      (error, stdout) => resolve(error === null ? stdout : undefined),
    );
  });
}
