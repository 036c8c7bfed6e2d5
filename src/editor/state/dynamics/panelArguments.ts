import type { DynamicsInput } from './dynamicsSession';

/** What a lens, a fix or the Properties view gives `kymo.showDynamics`: an input that is analysed already, and a property of it. */
export interface DynamicsArguments {
  readonly input: DynamicsInput;
  /** Id of a property to show. */
  readonly property?: string;
}
