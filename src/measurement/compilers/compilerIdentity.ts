import { execFile } from 'node:child_process';

/** What a compiler says of itself. */
export interface CompilerIdentity {
  /** `gcc` and `clang` are those whose options we use; everything else is compiled as it is. */
  readonly family: 'gcc' | 'clang' | 'other';
  /** Such as `12.2.0`; empty when it does not say. */
  readonly version: string;
  readonly architecture: 'x86-64' | 'aarch64' | 'other';
}

/**
 * From the macros that the compiler predefines, which also holds for MPI's wrappers and ccache in front of it, and tells
 * the clang-based compilers of the vendors from those that only imitate gcc.
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
  const imitators = [
    '__INTEL_COMPILER',
    '__NVCOMPILER',
    '__PGI',
    '__OPEN64__',
    '_CRAYC',
    '__TINYC__',
    '__SUNPRO_C',
  ];
  const gcc = macros.has('__GNUC__') && !imitators.some((name) => macros.has(name));
  return {
    family: gcc ? 'gcc' : 'other',
    version: gcc ? version('__GNUC__', '__GNUC_MINOR__', '__GNUC_PATCHLEVEL__') : '',
    architecture,
  };
}

/** Asks the compiler (`words`: the program and what stands before its options). Undefined when it does not answer. */
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
