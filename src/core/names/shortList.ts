import { foldTemplates } from './foldTemplates';
import { unqualifiedName } from './unqualifiedName';

/** A name of a generated function may be of any length. */
const nameCharacters = 60;

/**
 * `push, value, operator[] and 12 more`: the first functions without scope and parameters, overloads and instances once.
 * @param count how many there are; `names` may be the first of them only
 */
export function shortList(names: readonly string[], count = names.length, most = 6): string {
  const shown = new Map<string, number>();
  for (const name of names) {
    const short = unqualifiedName(foldTemplates(name)).slice(0, nameCharacters);
    if (shown.size < most || shown.has(short)) shown.set(short, (shown.get(short) ?? 0) + 1);
  }
  const rest = [...shown.values()].reduce((left, functions) => left - functions, count);
  const parts = [...shown.keys()];
  if (rest > 0) return `${parts.join(', ')} and ${rest} more`;
  const last = parts.pop() ?? '';
  return parts.length === 0 ? last : `${parts.join(', ')} and ${last}`;
}
