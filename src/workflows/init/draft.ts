/** A target as `kymo init` would write it; what is left out has kymo.json's default. */
export interface TargetDraft {
  readonly name: string;
  readonly build: { readonly command: string; readonly clean?: string; readonly cwd?: string };
  readonly executable: string;
  readonly arguments?: readonly string[];
  readonly parameters?: Readonly<Record<string, readonly (string | number)[]>>;
  /** Numbers of MPI processes; without, the program is started directly. */
  readonly ranks?: readonly number[];
}

/** What was found, and what the user should look at. */
export interface Drafts {
  readonly targets: readonly TargetDraft[];
  readonly notes: readonly string[];
}

/** Text as one word for the shell. */
export function shellWord(text: string): string {
  return /^[A-Za-z0-9_./+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** The nearest text that can be the name of a target. */
export function targetNameOf(text: string): string {
  const name = text.replace(/[^\p{L}\p{N}._+ -]/gu, '_').replace(/^[^\p{L}\p{N}_]+/u, '');
  return name.slice(0, 60).trim() || 'program';
}
