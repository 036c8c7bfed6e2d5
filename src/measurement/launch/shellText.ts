/** A text as one word for the shell. */
export function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

export interface ProgramScript {
  /** Absolute. */
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly argv: readonly string[];
  /** File for the standard input; absolute. */
  readonly input?: string | undefined;
  /** File to which the script appends when the program began and when it ended; absolute. */
  readonly times?: string | undefined;
}

/** A script that starts a program on another node: with its folder, its variables and its input. */
export function programScript({ cwd, environment, argv, input, times }: ProgramScript): string {
  const names = Object.keys(environment).filter((name) => /^[A-Za-z_]\w*$/.test(name));
  const program = `${argv.map(shellQuoted).join(' ')}${input === undefined ? '' : ` < ${shellQuoted(input)}`}`;
  const note = (what: string): string => `echo "${what} $(date +%s.%N)" >> ${shellQuoted(times ?? '')}`;
  return [
    '#!/bin/sh',
    `cd -- ${shellQuoted(cwd)} || exit 127`,
    ...names.map((name) => `export ${name}=${shellQuoted(environment[name] ?? '')}`),
    ...(times === undefined
      ? [`exec ${program}`]
      : [note('begin'), program, 'status=$?', note('end'), 'exit $status']),
    '',
  ].join('\n');
}

/** Seconds from the first begin to the last end of such scripts; undefined where one of them is missing. */
export function secondsOf(times: string): number | undefined {
  const all = (word: string): readonly number[] =>
    [...times.matchAll(new RegExp(`^${word} (\\d+\\.\\d+)$`, 'gm'))].map(([, value]) => Number(value));
  const [begins, ends] = [all('begin'), all('end')];
  return begins.length === 0 || ends.length === 0 ? undefined : Math.max(...ends) - Math.min(...begins);
}
