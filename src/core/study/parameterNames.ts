/** What the number of ranks is called in models, where no parameter has that name. */
export const rankNames = ['p', 'np', 'processes'] as const;
/** … and the number of threads. */
export const threadNames = ['t', 'nt', 'threads'] as const;

/** The first name that no parameter has. */
export function freeName(names: readonly string[], parameters: readonly string[]): string | undefined {
  return names.find((name) => !parameters.includes(name));
}

/** What models of a target with these parameters can name. */
export function namesInModels(parameters: readonly string[]): readonly string[] {
  const others = [freeName(rankNames, parameters), freeName(threadNames, parameters)];
  return [...parameters, ...others.filter((name) => name !== undefined)];
}
