import { runProcess, succeeded } from '../launch/process';

/** Longer names stay mangled: nobody can read them, and demangling can make them arbitrarily long. */
const maximumLength = 20_000;
const demanglers = ['c++filt', 'llvm-cxxfilt', 'llvm-cxxfilt-19'] as const;

/**
 * Demangles C++ names with the first installed demangler. The result lacks names that are not C++ names, or that the demangler
 * does not support. Never throws: demangling only improves readability.
 */
export async function demangle(
  names: Iterable<string>,
  options: { readonly signal?: AbortSignal } = {},
): Promise<ReadonlyMap<string, string>> {
  // One name per line: a symbol with blanks or control characters must not shift the others.
  const mangled = [...new Set(names)].filter(
    (name) => /^_Z[\x21-\x7e]+$/.test(name) && name.length <= maximumLength,
  );
  if (mangled.length === 0) return new Map();
  for (const tool of demanglers) {
    const result = await runProcess(
      { argv: [tool] },
      {
        input: mangled.join('\n') + '\n',
        env: { ...process.env, LC_ALL: 'C' },
        maximumOutputBytes: 1024 * 1024 * 1024,
        timeoutSeconds: 60,
        asksMachine: true,
        signal: options.signal,
      },
    );
    if (result.end.kind === 'aborted') return new Map();
    if (!succeeded(result)) continue;
    const lines = result.stdout.split('\n');
    if (lines.length < mangled.length) continue;
    return new Map(
      mangled.flatMap((name, i): [string, string][] => {
        const shown = lines[i];
        return shown === undefined || shown === name ? [] : [[name, shown]];
      }),
    );
  }
  return new Map();
}
