import type { FoundProperty } from '../../../workflows/dynamicsInSource';
import type { FoundDynamics } from './dynamics';
import type { DynamicsInput } from './dynamicsSession';

/** What a lens, a fix or the Properties view gives: an input that is analysed already, and a property of it. */
export interface DynamicsArguments {
  readonly input: DynamicsInput;
  /** Position of a property to show. */
  readonly property?: number;
}

/** What `kymo.showDynamics` is given so that the panel shows a property that stands in the source. */
export function panelArguments(
  { input, positions }: Pick<FoundDynamics, 'input' | 'positions'>,
  { id }: Pick<FoundProperty, 'id'>,
): DynamicsArguments {
  const property = positions.get(id);
  return { input, ...(property === undefined ? {} : { property }) };
}
