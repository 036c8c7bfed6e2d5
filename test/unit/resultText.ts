/** Rounds every number of a result to six digits, so that expected results do not depend on the last bits of a machine's functions. */
export function rounded(value: unknown): unknown {
  if (typeof value === 'number') return Number(value.toPrecision(6));
  if (ArrayBuffer.isView(value)) return Array.from(value as Float64Array, rounded);
  if (Array.isArray(value)) return value.map(rounded);
  if (value instanceof Map) return [...value].map(rounded);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, rounded(each)]));
}

/** One line for each record: a difference shows the record that changed. */
export function resultLines(records: readonly unknown[]): string {
  return `${records.map((record) => JSON.stringify(rounded(record))).join('\n')}\n`;
}
