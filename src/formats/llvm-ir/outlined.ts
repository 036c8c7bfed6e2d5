import type { CompilerFunction } from '../../core/source/unit';
import { withBodies } from '../gcc-cgraph/outlined';

/** Bodies of OpenMP regions: `sweep.omp_outlined`, before clang 17 `.omp_outlined.`; `.omp_task_entry.`, `.omp_task_privates_map.` … */
const outlinedName = /(?:^|\.)omp[._]|^\.omp_|^__omp_offloading/;

/** Limit on outlined regions of one function; real functions have fewer, but damaged texts may refer to one region from many. */
const mostBodies = 200;

/**
 * Attributes the calls of OpenMP regions to the functions that contain them: the source has no functions for these bodies, and the
 * OpenMP library calls them. A function that refers to a region is its owner; nested regions have the same owner.
 */
export function withoutOutlined(functions: readonly CompilerFunction[]): readonly CompilerFunction[] {
  const bodies = new Map(
    functions.filter(isOutlined).map((body): [string, CompilerFunction] => [body.mangledName, body]),
  );
  if (bodies.size === 0) return functions;
  return functions.filter((f) => !bodies.has(f.mangledName)).map((f) => absorb(f, bodies));
}

function isOutlined({ mangledName, hasBody }: CompilerFunction): boolean {
  return hasBody && outlinedName.test(mangledName);
}

function absorb(owner: CompilerFunction, bodies: ReadonlyMap<string, CompilerFunction>): CompilerFunction {
  const all = new Set([owner]);
  for (const f of all) {
    if (all.size > mostBodies) break;
    for (const name of [...f.callees, ...f.references]) {
      const body = bodies.get(name);
      if (body !== undefined) all.add(body);
    }
  }
  return withBodies(owner, [...all].slice(1), (name) => bodies.has(name));
}
