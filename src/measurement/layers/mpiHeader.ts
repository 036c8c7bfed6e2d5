/** A function that an `mpi.h` declares. */
export interface MpiFunction {
  /** Without `MPI_`. */
  readonly name: string;
  readonly result: string;
  /** Declarations of the parameters with the names `p1`, `p2`, …. */
  readonly parameters: readonly string[];
}

/**
 * The functions `MPI_…` of a preprocessed `mpi.h`, in their order. Functions with variable arguments (`MPI_Pcontrol`, which belongs to the
 * tools) and conversions between languages (`…_f2c`), which programs may use before MPI starts, are left out.
 */
export function readMpiHeader(preprocessed: string): readonly MpiFunction[] {
  const functions = new Map<string, MpiFunction>();
  for (const statement of withoutAttributes(preprocessed).split(/[;{}]/)) {
    const match = /^([\w\s*]*?\W)MPI_([A-Z]\w*)\s*\(((?:[^()]|\([^()]*\))*)\)/.exec(statement.trim());
    if (match === null) continue;
    const [, before = '', name = '', list = ''] = match;
    const result = before.replace(/\bextern\b/g, '').trim();
    if (
      result.includes('typedef') ||
      list.includes('...') ||
      /_(f2c|c2f|f082c|c2f08|f2f08|f082f)$/.test(name)
    )
      continue;
    functions.set(name, { name, result, parameters: splitParameters(list).map(renamed) });
  }
  return [...functions.values()];
}

/** The external variables of the header: an implementation's handles. */
export function readMpiVariables(preprocessed: string): readonly string[] {
  const text = withoutAttributes(preprocessed);
  return [...text.matchAll(/\bextern\b[^;(){}]*?\b(\w+)\s*;/g)].map(([, name = '']) => name);
}

/** Removes line markers and GNU attributes, whose parentheses are nested at most three deep. */
function withoutAttributes(text: string): string {
  const attribute = /__attribute__\s*\(\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)\)/g;
  return text.replace(/^#.*$/gm, '').replace(attribute, '');
}

function splitParameters(list: string): readonly string[] {
  const words = list.replace(/\s+/g, ' ').trim();
  return words === '' || words === 'void' ? [] : words.split(/\s*,\s*/);
}

/** `const int counts[]` → `const int p3[]`. A parameter without a name gets one at its end. */
function renamed(declaration: string, index: number): string {
  const name = `p${index + 1}`;
  const [, before = '', last = '', dimensions = ''] =
    /^(.*?)(\w+)?((?:\s*\[\d*\])*)$/.exec(declaration) ?? [];
  const isNamed = last !== '' && /\S/.test(before) && !/^(?:const|struct|unsigned)\s*$/.test(before.trim());
  return isNamed ? `${before}${name}${dimensions}` : `${before}${last} ${name}${dimensions}`;
}
