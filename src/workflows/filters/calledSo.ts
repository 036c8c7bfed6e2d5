import { compileMatcher } from '../../formats/scorep-filter/patterns/matcher';

/** The names of a function. */
export interface NamedFunction {
  readonly key: string;
  readonly name: string;
  readonly mangledName?: string | undefined;
}

/** Whether a user means a function by this name: its name as it is shown, with or without arguments, its mangled name, or its key. */
export function isCalled({ key, name, mangledName }: NamedFunction, wanted: string): boolean {
  return [key, name, mangledName, bareName(name)].includes(wanted);
}

/** The functions of this name; if there are none, and it has wildcards as patterns of filters do (`*`, `?`, sets), those that it matches. */
export function functionsCalled<Of extends NamedFunction>(
  functions: readonly Of[],
  wanted: string,
): readonly Of[] {
  const exact = functions.filter((candidate) => isCalled(candidate, wanted));
  if (exact.length > 0 || !/[*?[]/.test(wanted)) return exact;
  const { matches } = compileMatcher(wanted);
  return functions.filter(
    ({ name, mangledName }) =>
      matches(name) || matches(bareName(name)) || (mangledName !== undefined && matches(mangledName)),
  );
}

/** `step` for `ns::step(int, double) const`; operators and other names with brackets of their own remain complete. */
function bareName(name: string): string {
  const bracket = name.indexOf('(');
  return bracket <= 0 || name.includes('operator') ? name : name.slice(0, bracket);
}
