import { homedir } from 'node:os';
import path from 'node:path';

/** Settings of the wrapper from its environment. */
export interface WrapperSettings {
  /** `collect`: run the plain compiler, and write the call graph of the units. */
  readonly purpose: 'measure' | 'collect';
  readonly kind: 'cc' | 'cxx' | 'fc';
  /** The plain compiler: a program, possibly with words before the options (`ccache gcc`). */
  readonly compiler: readonly [string, ...string[]];
  /** Whether the driver compiles C sources as C++. */
  readonly plusPlus: boolean;
  /** Folder of the unit fragments. */
  readonly store: string;
  /** Folder of files that can be recreated at any time. */
  readonly cache: string;
  readonly probes: boolean;
  readonly minimumStatements: number;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** @param exists whether a text, including its blanks, is the path or name of a program */
export function readSettings(
  environment: Environment,
  exists: (program: string) => boolean,
): WrapperSettings {
  const kind =
    environment.KYMO_KIND === 'cxx' || environment.KYMO_KIND === 'fc' ? environment.KYMO_KIND : 'cc';
  const named = { cc: environment.KYMO_CC, cxx: environment.KYMO_CXX, fc: environment.KYMO_FC }[kind];
  const compiler = compilerWords(filled(named) ?? { cc: 'cc', cxx: 'c++', fc: 'gfortran' }[kind], exists);
  const cache = cacheFolder(environment);
  const minimum = Number(environment.KYMO_MINIMUM_STATEMENTS ?? '10');
  return {
    purpose: environment.KYMO_PURPOSE === 'collect' ? 'collect' : 'measure',
    kind,
    compiler,
    plusPlus: kind === 'cxx' || compiler.some((word) => /(\+\+|cxx|CC)(-[\d.]+)?$/.test(path.basename(word))),
    store: filled(environment.KYMO_STORE) ?? path.join(cache, 'store'),
    cache,
    probes: environment.KYMO_PROBES !== 'off',
    minimumStatements: Number.isFinite(minimum) && minimum >= 0 ? minimum : 10,
  };
}

/** The value of a variable; undefined for empty ones. */
function filled(variable: string | undefined): string | undefined {
  return variable === '' ? undefined : variable;
}

function compilerWords(text: string, exists: (program: string) => boolean): readonly [string, ...string[]] {
  if (exists(text)) return [text];
  const [program, ...rest] = text.split(/\s+/).filter((word) => word !== '');
  return program === undefined ? [text] : [program, ...rest];
}

/** `$XDG_CACHE_HOME/kymo`, by default below the home folder (XDG Base Directory Specification). */
export function cacheFolder(environment: Environment): string {
  const base = environment.XDG_CACHE_HOME;
  // The specification ignores relative paths.
  if (base !== undefined && path.isAbsolute(base)) return path.join(base, 'kymo');
  return path.join(filled(environment.HOME) ?? homedir(), '.cache', 'kymo');
}
