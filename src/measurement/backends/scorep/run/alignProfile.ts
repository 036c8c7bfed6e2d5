import type { CallGraph } from '../../../../core/callgraph/callGraph';
import type { Profile, Region } from '../../../../core/profile/profile';
import { structorFamily } from '../../../symbols/mangledNames';
import { isStructor } from '../unfit/structors';

/**
 * Gives the regions of a Score-P profile the mangled names of the call graph. Constructors and destructors are one function with several
 * symbols (the plug-in sees C2, the graph may have C1). Regions that are not functions of the program (MPI, OpenMP, the artificial root),
 * values and call paths do not change.
 */
export function alignProfile(profile: Profile, graph: CallGraph): Profile {
  const names = new Set<string>();
  const families = new Map<string, string>();
  for (const { mangledName } of graph.functions) {
    if (mangledName === undefined) continue;
    names.add(mangledName);
    if (isStructor(mangledName)) families.set(structorFamily(mangledName), mangledName);
  }
  const aligned = (region: Region): Region => {
    const { mangledName } = region;
    if (mangledName === undefined || names.has(mangledName) || !isStructor(mangledName)) return region;
    const graphName = families.get(structorFamily(mangledName));
    return graphName === undefined ? region : { ...region, mangledName: graphName };
  };
  return families.size === 0 ? profile : { ...profile, regions: profile.regions.map(aligned) };
}
