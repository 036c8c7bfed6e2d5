import { runProcess } from '../launch/process';

/** Longer names are shown mangled: nobody can read them, and demangling can blow them up without bound. */
const maximumLength = 20_000;
const demanglers = ['c++filt', 'llvm-cxxfilt', 'llvm-cxxfilt-19'] as const;

/**
 * Demangles C++ names in one go with the first demangler that is installed; names that are not C++ names, or that it does
 * not know, are missing from the result. Nothing is thrown: names are a convenience.
 */
export async function demangle(
  names: Iterable<string>,
  options: { readonly signal?: AbortSignal } = {},
): Promise<ReadonlyMap<string, string>> {
  // One name a line: a symbol with blanks or control characters in it must not shift the others.
  const asked = [...new Set(names)].filter(
    (name) => /^_Z[\x21-\x7e]+$/.test(name) && name.length <= maximumLength,
  );
  if (asked.length === 0) return new Map();
  for (const tool of demanglers) {
    const result = await runProcess(
      { argv: [tool] },
      {
        input: asked.join('\n') + '\n',
        env: { ...process.env, LC_ALL: 'C' },
        maximumOutputBytes: 1024 * 1024 * 1024,
        timeoutSeconds: 60,
        asksMachine: true,
        ...(options.signal === undefined ? {} : { signal: options.signal }),
      },
    );
    if (result.end.kind === 'aborted') return new Map();
    if (result.end.kind !== 'exit' || result.end.status !== 0) continue;
    const lines = result.stdout.split('\n');
    if (lines.length < asked.length) continue;
    return new Map(
      asked.flatMap((name, i): [string, string][] => {
        const shown = lines[i];
        return shown === undefined || shown === name ? [] : [[name, shown]];
      }),
    );
  }
  return new Map();
}
