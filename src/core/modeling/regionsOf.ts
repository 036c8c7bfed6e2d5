/** The regions of a call path from its root, whose names are joined with `->`. `operator->` is one of them. */
export function regionsOf(callPath: string): readonly string[] {
  return callPath.split(/(?<!operator)->/);
}
