import { homedir } from 'node:os';
import path from 'node:path';

/** What the environment asks of the wrapper. */
export interface WrapperSettings {
  /** `collect`: the plain compiler does its work, and the units' parts of the call graph are written beside it. */
  readonly purpose: 'measure' | 'collect';
  readonly kind: 'cc' | 'cxx' | 'fc';
  /** The plain compiler: a program, possibly with words before the options (`ccache gcc`). */
  readonly compiler: readonly [string, ...string[]];
  /** The driver takes C sources for C++. */
  readonly plusPlus: boolean;
  /** Folder of the unit fragments. */
  readonly store: string;
  /** Folder of what can be made again at any time. */
  readonly cache: string;
  readonly probes: boolean;
  readonly minimumStatements: number;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** `exists` tells whether a path or a name of `PATH` is a program as it stands, blanks included. */
export function readSettings(
  environment: Environment,
  exists: (program: string) => boolean,
): WrapperSettings {
  const kind =
    environment.KYMO_KIND === 'cxx' || environment.KYMO_KIND === 'fc' ? environment.KYMO_KIND : 'cc';
  const given = { cc: environment.KYMO_CC, cxx: environment.KYMO_CXX, fc: environment.KYMO_FC }[kind];
  const compiler = compilerWords(
    given === undefined || given === '' ? { cc: 'cc', cxx: 'c++', fc: 'gfortran' }[kind] : given,
    exists,
  );
  const cache = cacheFolder(environment);
  const minimum = Number(environment.KYMO_MINIMUM_STATEMENTS ?? '10');
  return {
    purpose: environment.KYMO_PURPOSE === 'collect' ? 'collect' : 'measure',
    kind,
    compiler,
    plusPlus: kind === 'cxx' || compiler.some((word) => /(\+\+|cxx|CC)(-[\d.]+)?$/.test(path.basename(word))),
    store:
      environment.KYMO_STORE === undefined || environment.KYMO_STORE === ''
        ? path.join(cache, 'store')
        : environment.KYMO_STORE,
    cache,
    probes: environment.KYMO_PROBES !== 'off',
    minimumStatements: Number.isFinite(minimum) && minimum >= 0 ? minimum : 10,
  };
}

function compilerWords(text: string, exists: (program: string) => boolean): readonly [string, ...string[]] {
  if (exists(text)) return [text];
  const [program, ...rest] = text.split(/\s+/).filter((word) => word !== '');
  return program === undefined ? [text] : [program, ...rest];
}

/** `$XDG_CACHE_HOME/kymo`, by default below the home folder (XDG Base Directory Specification). */
export function cacheFolder(environment: Environment): string {
  const base = environment.XDG_CACHE_HOME;
  // Relative paths are to be ignored.
  if (base !== undefined && path.isAbsolute(base)) return path.join(base, 'kymo');
  const home = environment.HOME;
  return path.join(home === undefined || home === '' ? homedir() : home, '.cache', 'kymo');
}
