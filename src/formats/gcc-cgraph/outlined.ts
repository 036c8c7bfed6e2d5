import type { CompilerFunction } from '../../core/source/unit';

/** Names of functions that gcc generates for OpenMP regions, `sweep._omp_fn.0`, and for the copy constructors of tasks. */
const openMp = /^(.+?)\._omp_(?:fn|cpyfn)\.\d+$/;
/** Names of the functions that resume and destroy a coroutine `_Z1fi`; they belong to its frame, the type `_Z1fi.Frame`. */
const coroutine = /^_Z.*PZ.*?\d(_Z\w+)\.Frame\.(?:actor|destroy)$/;

/**
 * Attributes the calls of OpenMP regions and coroutines to the functions that contain them: the source has no functions for these bodies, and
 * the OpenMP library calls them.
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
    .map((f) => withBodies(f, byOwner.get(f.mangledName) ?? [], isOutlined));
}

/** A nested region is outlined from an outlined function. */
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

/** An owner with all calls and references of its outlined bodies, except for those to these bodies. */
export function withBodies(
  owner: CompilerFunction,
  bodies: readonly CompilerFunction[],
  isBody: (name: string) => boolean,
): CompilerFunction {
  if (bodies.length === 0) return owner;
  const all = [owner, ...bodies];
  const withoutBodies = (names: readonly string[]): readonly string[] => [
    ...new Set(names.filter((name) => !isBody(name))),
  ];
  return {
    ...owner,
    callees: withoutBodies(all.flatMap((f) => f.callees)),
    references: withoutBodies(all.flatMap((f) => f.references)),
    indirectCalls: all.reduce((sum, f) => sum + f.indirectCalls, 0),
    virtualCalls: all.flatMap((f) => f.virtualCalls),
  };
}
