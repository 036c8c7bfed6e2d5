export type JsonObject = Readonly<Record<string, unknown>>;

export function isRecord(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The objects of a list, without other values. */
export function recordsOf(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter((item: unknown) => isRecord(item)) : [];
}

/** The strings of a list, and numbers as text, without other values. */
export function stringsOf(value: unknown): readonly string[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((item: unknown) =>
    typeof item === 'string' ? [item] : typeof item === 'number' ? [String(item)] : [],
  );
}

/** Parses JSON; undefined if the text is invalid. */
export function parseJson(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
