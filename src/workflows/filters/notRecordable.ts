/** A function that the user names and that cannot be recorded. */
export interface NotRecordable {
  readonly name: string;
  /** The reason, as the rest of a sentence after the name; absent: the executable has no site for the function. */
  readonly why?: string;
}

const longestName = 60;
const inlined =
  'cannot be recorded as the program is built now: it was inlined or built without Kymo, so the executable has no patch point for it. A "noinline" attribute or less optimisation gives one';

/** One sentence for each reason, which names the first function. */
export function notRecordable(functions: readonly NotRecordable[]): readonly string[] {
  const byReason = new Map<string, string[]>();
  for (const { name, why = inlined } of functions) {
    const names = byReason.get(why) ?? [];
    byReason.set(why, [...names, shortName(name)]);
  }
  return [...byReason].map(([why, [first = '', ...others]]) => `${first} ${why}.${alike(others)}`);
}

export function shortName(name: string): string {
  return name.length <= longestName ? name : `${name.slice(0, longestName - 1)}…`;
}

function alike(others: readonly string[]): string {
  const [first] = others;
  if (first === undefined) return '';
  const more = others.length - 1;
  return ` The same holds for ${first}${more === 0 ? '' : ` and ${more} more`}.`;
}
