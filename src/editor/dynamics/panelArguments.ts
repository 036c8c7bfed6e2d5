import type { DynamicsArguments } from '../commands/showDynamics';
import type { FoundProperty } from '../../workflows/dynamicsInSource';
import type { FoundDynamics } from './dynamics';

/** What `kymo.showDynamics` is given so that the panel shows a property that stands in the source. */
export function panelArguments(
  { input, positions }: Pick<FoundDynamics, 'input' | 'positions'>,
  { id }: Pick<FoundProperty, 'id'>,
): DynamicsArguments {
  const property = positions.get(id);
  return { input, ...(property === undefined ? {} : { property }) };
}
