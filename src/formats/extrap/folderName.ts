/** What the name of an experiment's folder says. */
export interface ExperimentFolder {
  /** What stands before the parameters. */
  readonly prefix: string;
  /** In the order of the name; names differ. */
  readonly parameters: readonly { readonly name: string; readonly value: number }[];
  readonly repetition?: number;
}

/**
 * A parameter: letters, `_` or `-` between them, and a decimal number with `.` or `,`, behind the end of the one before. A number
 * has no exponent: `n1e3` are the parameters n and e.
 */
const parameter = /[.,_-]*(\p{L}(?:[\p{L}_-]*[\p{L}_])??)_?(-?\d+(?:[.,]\d+)?)/uy;

/**
 * Parameters, their values and the repetition in a folder's name `[PREFIX.]p1v1[.]p2v2…[.rN]`, as Extra-P's reader of Cube profiles has
 * it, such as `mm.x20,5y1.r2`. Other than there, `.r` begins the repetition only before a number (`mm.ranks4`), prefixes may contain dots
 * (`my.app.p2`), and `-` before a number is its sign, as Kymo writes it. `.pofi` before the repetition is PIRA's (ExtrapProfileSink).
 * @returns undefined for a name without parameters, with text beside them, or with a parameter twice
 */
export function parseExperimentFolder(name: string): ExperimentFolder | undefined {
  const [, start = '', digits] = /^(.+?)(?:\.pofi)?\.r(\d+)$/s.exec(name) ?? [];
  if (digits !== undefined) return repeated(start, digits);
  // Text behind the repetition says nothing.
  const [, before = '', number] = /^(.+?)\.r(\d+)[._-]/s.exec(name) ?? [];
  return (number === undefined ? undefined : repeated(before, number)) ?? withoutRepetition(name);
}

function repeated(name: string, repetition: string): ExperimentFolder | undefined {
  const folder = withoutRepetition(name);
  return folder === undefined ? undefined : { ...folder, repetition: Number(repetition) };
}

/** The parameters are what follows the first dot, as for Extra-P; if that cannot be, a later dot, or the whole name. */
function withoutRepetition(name: string): ExperimentFolder | undefined {
  for (let dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', dot + 1)) {
    const parameters = parametersIn(name.slice(dot + 1));
    if (parameters !== undefined) return { prefix: name.slice(0, dot), parameters };
  }
  const parameters = parametersIn(name);
  return parameters === undefined ? undefined : { prefix: '', parameters };
}

function parametersIn(text: string): ExperimentFolder['parameters'] | undefined {
  const parameters = new Map<string, number>();
  const end = text.replace(/[.,]+$/, '').length;
  for (parameter.lastIndex = 0; parameter.lastIndex < end;) {
    const [, name, digits] = parameter.exec(text) ?? [];
    const value = Number(digits?.replace(',', '.'));
    if (name === undefined || parameters.has(name) || !Number.isFinite(value)) return undefined;
    parameters.set(name, value);
  }
  return parameters.size === 0 ? undefined : Array.from(parameters, ([name, value]) => ({ name, value }));
}
