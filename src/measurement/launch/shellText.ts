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
}

/** A script that starts a program on another node: with its folder, its variables and its input. */
export function programScript({ cwd, environment, argv, input }: ProgramScript): string {
  const names = Object.keys(environment).filter((name) => /^[A-Za-z_]\w*$/.test(name));
  return [
    '#!/bin/sh',
    `cd -- ${shellQuoted(cwd)} || exit 127`,
    ...names.map((name) => `export ${name}=${shellQuoted(environment[name] ?? '')}`),
    `exec ${argv.map(shellQuoted).join(' ')}${input === undefined ? '' : ` < ${shellQuoted(input)}`}`,
    '',
  ].join('\n');
}
