/**
 * Arrays from another process are views of one large buffer, which VS Code would send with each of them: such arrays get a buffer of their own, wherever they
 * are in an answer.
 */
export function ownArrays(given: unknown): unknown {
  if (typeof given !== 'object' || given === null) return given;
  if (ArrayBuffer.isView(given))
    return given.byteLength === given.buffer.byteLength ? given : (given as Uint8Array).slice();
  if (Array.isArray(given)) return given.map(ownArrays);
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [name, ownArrays(value)]));
}
