/** Binary search: the first of `count` positions that `isBehind`, as are all later ones; `count` where none is. */
export function firstPosition(count: number, isBehind: (position: number) => boolean): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBehind(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
