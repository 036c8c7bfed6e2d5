import type { DynamicsInput } from './dynamicsSession';

/** Argument of `kymo.showDynamics` from a lens, a fix or the Properties view: an analysed input and one of its properties. */
export interface DynamicsArguments {
  readonly input: DynamicsInput;
  /** Id of a property to show. */
  readonly property?: string;
}
