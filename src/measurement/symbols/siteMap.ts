import { KymoError } from '../../core/errors';
import type { CallGraph } from '../../core/callgraph/callGraph';
import type { Unit } from '../../core/source/unit';
import { findLinkedObjects } from './linkedObjects';
import { GraphIndex } from './graphIndex';
import { joinObject } from './joinObject';
import type { ObjectSymbols } from './objectSymbols';
import { withoutBuildId } from './readObject';
import type { LinkedObject, Site, SiteMap } from './sites';
import { readObjectSymbols, type SymbolOptions } from './symbolCache';

export interface SiteMapOptions extends SymbolOptions {
  readonly executable: string;
  /** Libraries that may have sites; default: the linked ones that can be found. */
  readonly libraries?: readonly string[];
  /** The fragments of the program, to report missing ones. */
  readonly units: readonly Unit[];
  /** The graph, including the functions of `addSymbolFunctions`. */
  readonly graph: CallGraph;
}

/** Joins the sites of the linked objects with the functions of the call graph. Throws a `KymoError` when an object cannot be read. */
export async function makeSiteMap(options: SiteMapOptions): Promise<SiteMap> {
  const { executable, graph } = options;
  const libraries = options.libraries ?? (await findLinkedObjects(executable)).slice(1);
  const index = new GraphIndex(graph);
  const fragments = new Set(options.units.map((u) => u.hash));
  const objects: LinkedObject[] = [];
  const functions = new Map<string, Site[]>();
  const instanceNames = new Map<string, string>();
  const inlinedToo = new Set<string>();
  const problems: string[] = [];
  for (const path of [executable, ...libraries]) {
    const symbols = await readObjectSymbols(path, options);
    if (symbols.buildId === undefined) {
      if (path === executable) throw new KymoError('no-build-id', withoutBuildId(path), { file: path });
      problems.push(withoutBuildId(path));
      continue;
    }
    problems.push(...symbols.problems, ...missingFragments(path, symbols, fragments));
    const object = objects.length;
    objects.push({ path, buildId: symbols.buildId, units: symbols.units });
    const joined = joinObject(symbols, index, object);
    for (const [key, sites] of joined.functions) {
      functions.set(key, [...(functions.get(key) ?? []), ...sites]);
    }
    for (const [mangled, name] of joined.instanceNames) instanceNames.set(mangled, name);
    for (const key of joined.inlinedToo) inlinedToo.add(key);
    problems.push(...joined.problems.map((p) => `${path}: ${p}`));
    if (path === executable && symbols.sleds.length + symbols.entries.length === 0) {
      problems.push(
        `${path} has no patch points: Kymo's compiler wrappers did not compile it. Use \${cc}, \${cxx} and \${fc} in the build command, and build from clean.`,
      );
    }
  }
  return { objects, functions, instanceNames, inlinedToo, problems };
}

function missingFragments(
  path: string,
  symbols: ObjectSymbols,
  fragments: ReadonlySet<string>,
): readonly string[] {
  const missing = symbols.units.filter((unit) => !fragments.has(unit));
  if (missing.length === 0) return [];
  return [
    `${path}: the call-graph fragments of ${missing.length} of ${symbols.units.length} units are not in the store (first: ${missing[0] ?? ''}); their probes cannot be used. Build from clean.`,
  ];
}
