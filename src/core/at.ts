/**
 * Elements of columns by their position, for code that knows that the position exists. A wrong position throws instead of becoming a
 * plausible number. One function for each kind of array: the engine compiles a fast access only where a function sees one kind.
 */

/** @throws RangeError when there is no element at `position` */
export function at<Element>(values: ArrayLike<Element>, position: number): Element {
  const value = values[position];
  // An element may be undefined where the type allows it; a missing one may not.
  if (value === undefined && !(position in values)) throw missing(values, position);
  return value as Element;
}

/** @throws RangeError when there is no element at `position` */
export function atFloat(values: Float64Array, position: number): number {
  const value = values[position];
  if (value === undefined) throw missing(values, position);
  return value;
}

/** @throws RangeError when there is no element at `position` */
export function atInt(values: Int32Array, position: number): number {
  const value = values[position];
  if (value === undefined) throw missing(values, position);
  return value;
}

/** @throws RangeError when there is no element at `position` */
export function atUint(values: Uint32Array, position: number): number {
  const value = values[position];
  if (value === undefined) throw missing(values, position);
  return value;
}

/** @throws RangeError when there is no element at `position` */
export function atByte(values: Uint8Array, position: number): number {
  const value = values[position];
  if (value === undefined) throw missing(values, position);
  return value;
}

function missing({ length }: ArrayLike<unknown>, position: number): RangeError {
  return new RangeError(`There is no element at position ${position} of ${length}.`);
}
