import { at } from '../at';
import { findActivityShares } from './activityShares';
import { findDifferentWork } from './differentWork';
import { findImbalances } from './imbalance';
import { findInlinedAway } from './inlinedAway';
import { makeContext, type PropertyInput } from './context/makeContext';
import { findParallelEfficiency } from './parallelEfficiency';
import { findOverheads } from './overhead';
import { isSummed } from '../profile/summed';
import { bySeverity, type Property } from '../properties/property';
import type { PropertyContext } from './context/propertyContext';
import { findProcessGroups } from './processGroups';
import { findRegionShares } from './regionShares';
import { findUnknownTime } from './unknownTime';

/** All static properties of a profile, the most severe first; the same input gives the same properties with the same ids. */
export function findProperties(input: PropertyInput): readonly Property[] {
  const { graph, sites } = input;
  const context = makeContext(input);
  const found = [
    ...findRegionShares(context),
    ...findActivityShares(context),
    ...(isSummed(context.profile) ? [] : betweenProcesses(context)),
    ...findUnknownTime(context),
    ...findOverheads(context),
    ...(graph === undefined || sites === undefined
      ? []
      : findInlinedAway({
          ...input,
          graph,
          sites,
          thresholds: context.thresholds,
          recorded: executedIn(context),
        })),
  ];
  return inOrder(context, belowTheirWhole(found));
}

/** Those that compare locations. */
function betweenProcesses(context: PropertyContext): readonly Property[] {
  return [
    ...findImbalances(context),
    ...findDifferentWork(context),
    ...findProcessGroups(context),
    ...findParallelEfficiency(context),
  ];
}

/** Those of them that are about processes whose work differs. */
export function processProperties(input: PropertyInput): readonly Property[] {
  const context = makeContext(input);
  return inOrder(context, [...findProcessGroups(context), ...findDifferentWork(context)]);
}

function inOrder({ base }: PropertyContext, found: readonly Property[]): readonly Property[] {
  const origin = { run: base.run, analysis: 'profile' };
  return found.map((property) => ({ ...property, origin })).sort(bySeverity);
}

function executedIn({ keys, times }: PropertyContext): ReadonlySet<string> {
  return new Set(keys.filter((_, region) => at(times.regions, region).visits > 0));
}

/** What is a part of a whole that was found, too, refines it. */
function belowTheirWhole(found: readonly Property[]): Property[] {
  const wholes = new Set(found.filter(({ id }) => id.endsWith(':run')).map(({ id }) => id));
  return found.map((property) => {
    const whole = `${property.kind}:run`;
    return property.refines !== undefined || property.id === whole || !wholes.has(whole)
      ? property
      : { ...property, refines: whole };
  });
}
