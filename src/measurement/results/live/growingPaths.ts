import { at } from '../../../core/at';
import { remembered } from '../../../core/remembered';
import type { PathsOfRun } from '../iterationContexts';

/** The call paths of a run that is not over: whatever is asked for is there. */
export class GrowingPaths implements PathsOfRun {
  private readonly parents = [-1];
  private readonly regions = [0];
  private readonly below = new Map<string, number>();

  child(parent: number, region: number): number {
    return remembered(this.below, `${parent}:${region}`, () => {
      this.parents.push(parent);
      return this.regions.push(region) - 1;
    });
  }

  parentOf(callPath: number): number {
    return at(this.parents, callPath);
  }

  regionOf(callPath: number): number {
    return at(this.regions, callPath);
  }
}
