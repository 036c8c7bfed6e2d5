import type { CallGraphFunction } from '../../../../core/callgraph/callGraph';
import type { Selection } from '../../../../core/selection/selection';
import { writeFilter, type FilterEntry } from '../../../../formats/scorep-filter/lists/write';
import { present } from '../../../../core/present';

/** The filter that records these functions and nothing else, each with the rule that chose it. */
export function selectionFilter(
  keys: Iterable<string>,
  functions: ReadonlyMap<string, CallGraphFunction>,
  selection: Selection,
  target: string,
): string {
  const entries = [...keys].flatMap((key): readonly FilterEntry[] => {
    const f = functions.get(key);
    if (f === undefined) return [];
    const rule = selection.decisions.get(key)?.reason.rule;
    const reason = rule === undefined ? {} : { reason: rule };
    return [{ name: f.name, ...present({ mangledName: f.mangledName }), ...reason }];
  });
  return writeFilter(entries, `Written by Kymo for ${target}`);
}
