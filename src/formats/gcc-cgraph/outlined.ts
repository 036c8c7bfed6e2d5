import type { CompilerFunction } from '../../core/source/unit';

/** Bodies of OpenMP regions that gcc made functions of: `sweep._omp_fn.0`, and the copy constructors of tasks. */
const openMp = /^(.+?)\._omp_(?:fn|cpyfn)\.\d+$/;
/** What a coroutine `_Z1fi` does after it was started, and its end: functions of a frame whose type is called `_Z1fi.Frame`. */
const coroutine = /^_Z.*PZ.*?\d(_Z\w+)\.Frame\.(?:actor|destroy)$/;

/**
 * Gives what OpenMP regions and coroutines do back to the functions that they stand in: the source has no such function, and the call goes through
 * the OpenMP library.
 */
export function withoutOutlined(functions: readonly CompilerFunction[]): readonly CompilerFunction[] {
  const bodies = functions.filter((f) => isOutlined(f.mangledName));
  if (bodies.length === 0) return functions;
  const byOwner = new Map<string, CompilerFunction[]>();
  for (const body of bodies) {
    const owner = ownerOf(body.mangledName);
    byOwner.set(owner, [...(byOwner.get(owner) ?? []), body]);
  }
  return functions
    .filter((f) => !isOutlined(f.mangledName))
    .map((f) => absorb(f, byOwner.get(f.mangledName) ?? []));
}

/** A region within a region is outlined of an outlined function. */
function ownerOf(name: string): string {
  let owner = name;
  for (let next = ownerOfOne(owner); next !== undefined; next = ownerOfOne(owner)) owner = next;
  return owner;
}

function ownerOfOne(name: string): string | undefined {
  return (openMp.exec(name) ?? coroutine.exec(name))?.[1];
}

function isOutlined(name: string): boolean {
  return ownerOfOne(name) !== undefined;
}

function absorb(owner: CompilerFunction, bodies: readonly CompilerFunction[]): CompilerFunction {
  if (bodies.length === 0) return owner;
  const all = [owner, ...bodies];
  const real = (names: readonly string[]): readonly string[] => [
    ...new Set(names.filter((name) => !isOutlined(name))),
  ];
  return {
    ...owner,
    callees: real(all.flatMap((f) => f.callees)),
    references: real(all.flatMap((f) => f.references)),
    indirectCalls: all.reduce((sum, f) => sum + f.indirectCalls, 0),
    virtualCalls: all.flatMap((f) => f.virtualCalls),
  };
}
