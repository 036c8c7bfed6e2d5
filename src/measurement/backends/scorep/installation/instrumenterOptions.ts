import { instrumenterOptionsOf8 } from './versions';

/** Options that an instrumenter accepts before the compiler's command. */
export interface InstrumenterOptions {
  /** Names with their dashes, without values. */
  readonly names: readonly string[];
  /** Values of `--thread=`, such as `omp:opari2`; empty: not known. */
  readonly threads: readonly string[];
  /** Values of `--mpp=`; empty: not known. */
  readonly mpps: readonly string[];
}

/**
 * Reads the options of the installed instrumenter from `scorep --help`.
 * @param help may be hostile or empty; the result then has the options of Score-P 8
 */
export function instrumenterOptions(help: string): InstrumenterOptions {
  const names = new Set<string>();
  const values = { '--thread': [] as string[], '--mpp': [] as string[] };
  let open: string[] | undefined;
  for (const line of help.slice(0, 200_000).split('\n')) {
    const option = /^ {2}(?:-\w, )?(--[a-z][\w-]*)/.exec(line)?.[1];
    if (option !== undefined) {
      names.add(option);
      open = option === '--thread' || option === '--mpp' ? values[option] : undefined;
      continue;
    }
    const value = /^ {10,16}([a-z]\w*(?::\w+)?)$/.exec(line)?.[1];
    if (value !== undefined) open?.push(value);
  }
  if (names.size === 0) return { names: instrumenterOptionsOf8, threads: [], mpps: [] };
  return { names: [...names], threads: values['--thread'], mpps: values['--mpp'] };
}
