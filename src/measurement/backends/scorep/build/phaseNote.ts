import { readFile } from 'node:fs/promises';
import type { CallGraph } from '../../../../core/callgraph/callGraph';
import { nearestName } from '../../../../core/nearest';
import { phaseFunctions } from '../../../../core/selection/phase';
import { plainName } from '../../../../core/callgraph/regionKeys';
import type { Unit } from '../../../../core/source/unit';

/** User regions of the sources whose visits Score-P records as iterations. */
export interface DynamicRegions {
  readonly marked: boolean;
  /** Names of regions that are string literals. */
  readonly names: readonly string[];
}

/** A call of a macro that begins or defines a region, up to its type; it may span lines. */
const dynamicRegion = /\bSCOREP_USER_\w*REGION\w*\s*\(([^();]*)\bSCOREP_USER_REGION_TYPE_DYNAMIC\b/g;

/** @param text of a C, C++ or Fortran source; comments are ignored */
export function dynamicRegionsIn(text: string): DynamicRegions {
  const code = text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$|^\s*!.*$/gm, '');
  const calls = [...code.matchAll(dynamicRegion)];
  const names = calls.flatMap(([, before = '']) => /["']([^"'\n]+)["']/.exec(before)?.[1] ?? []);
  return { marked: calls.length > 0, names };
}

/** Dynamic regions of all sources of a program; a missing file has none. */
export async function dynamicRegions(
  units: readonly Unit[],
  { functions }: CallGraph,
): Promise<DynamicRegions> {
  const files = new Set([
    ...units.map(({ source }) => source),
    ...functions.flatMap(({ file, hasBody, isSystem }) =>
      file === undefined || !hasBody || isSystem ? [] : [file],
    ),
  ]);
  const names = new Set<string>();
  let marked = false;
  for (const file of files) {
    const regions = dynamicRegionsIn(await readFile(file, 'utf8').catch(() => ''));
    marked ||= regions.marked;
    for (const name of regions.names) names.add(name);
  }
  return { marked, names: [...names] };
}

/**
 * The reason why Score-P records no iterations for a target's phase; undefined when it does.
 * @param flags of the instrumenter
 */
export function phaseNote(
  phase: string,
  graph: CallGraph,
  { marked, names }: DynamicRegions,
  flags: readonly string[],
): string | undefined {
  if (marked)
    return flags.includes('--user')
      ? undefined
      : `The sources mark iterations for Score-P, and without "--user" among the "flags" of "scorep" in kymo.json these marks are empty. Add it to have them recorded.`;
  if (phaseFunctions(graph, phase).size > 0)
    return `The phase “${phase}” is recorded, but Score-P makes iterations only of what the source marks: SCOREP_USER_REGION_BEGIN with SCOREP_USER_REGION_TYPE_DYNAMIC, built with --user.`;
  const functions = graph.functions.filter(({ hasBody, isSystem }) => hasBody && !isSystem);
  const near = nearestName(plainName(phase), [...names, ...functions.map(({ name }) => plainName(name))]);
  return `The program has no function “${phase}”${near === undefined ? '' : ` (did you mean ${near}?)`}, and its sources mark no iterations for Score-P, so "phase" of kymo.json has no effect here.`;
}
