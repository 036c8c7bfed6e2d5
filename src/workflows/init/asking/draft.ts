import { literally } from '../../../measurement/config/substitute';
import { withoutColours } from '../../../measurement/build/diagnostics';
import type { StudyDesign } from '../../../core/study/points';
import type { Launcher } from '../../../measurement/config/config';

/** A target as `kymo init` writes it; absent fields have kymo.json's defaults. */
export interface TargetDraft {
  readonly name: string;
  readonly build: { readonly command: string; readonly clean?: string; readonly cwd?: string };
  readonly executable: string;
  readonly arguments?: readonly string[];
  /** Folder of its runs; default: the workspace. */
  readonly runFolder?: string;
  readonly parameters?: Readonly<Record<string, readonly (string | number)[]>>;
  readonly study?: StudyDraft;
  /** Default: the program is started directly. */
  readonly launcher?: DraftLauncher;
}

export type DraftLauncher = Omit<Extract<Launcher, { kind: 'mpirun' | 'slurm' }>, 'arguments'> & {
  readonly arguments?: readonly string[];
};

/** `study` of kymo.json. */
export interface StudyDraft {
  readonly parameters?: Readonly<Record<string, readonly (string | number)[]>>;
  readonly ranks?: readonly number[];
  readonly design?: StudyDesign;
  readonly points?: readonly Readonly<Record<string, string | number>>[];
}

/** Detected settings, and points that the user should check. */
export interface Drafts {
  readonly targets: readonly TargetDraft[];
  readonly notes: readonly string[];
}

/** A program that the build makes, as described by the build system. */
export interface Program {
  readonly name: string;
  /** Relative to the workspace, with "/". */
  readonly file: string;
  /** Folder of its description or output; names such as "tests" indicate its purpose. */
  readonly folder: string;
  /** The build system's target for it, if it can be built alone. */
  readonly target?: string;
  /** Its purpose in the build, if known: helpers generate sources. */
  readonly purpose?: 'installed' | 'helper';
  /** Commands or options that compile and link it; empty if unknown. */
  readonly commands: string;
}

/** Answer of a build system: its programs and the command that builds them, or why these are unknown. */
export type Answer =
  | {
      readonly kind: 'programs';
      readonly programs: readonly Program[];
      readonly notes: readonly string[];
      readonly build: (program: Program) => TargetDraft['build'];
    }
  /** A sentence with the failure and, if the tool reports it, the reason. */
  | { readonly kind: 'unknown'; readonly why: string };

/** Folder of Kymo's builds; the user's own build folder is not touched. */
export const buildFolder = 'build-kymo';

/** Text as one word for the shell. */
export function shellWord(text: string): string {
  return /^[A-Za-z0-9_./+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Text as one word in a build command: text that looks like a placeholder of kymo.json stays literal. */
export function buildWord(text: string): string {
  return shellWord(literally(text));
}

/** A placeholder such as `${cc}` with its options as one word. */
export function compilerWord(placeholder: string, options: readonly string[]): string {
  if (options.length === 0) return placeholder;
  return shellWord(`${placeholder} ${literally(options.join(' '))}`);
}

/** Whether a path of a build system can stand in kymo.json: no control characters, nothing outside of the workspace, no option. */
export function isPlainPath(file: string): boolean {
  return !/\p{Cc}|^[-/]|(^|\/)\.\.(\/|$)/u.test(file) && file !== '';
}

/** The nearest text that can be the name of a target. */
export function targetNameOf(text: string): string {
  const name = text.replace(/[^\p{L}\p{N}._+ -]/gu, '_').replace(/^[^\p{L}\p{N}_]+/u, '');
  return name.slice(0, 60).trim() || 'program';
}

/** Puts text on one line, without colours and control characters. */
export function oneLine(text: string): string {
  return withoutColours(text)
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim();
}

/** Notes on programs that a build writes outside of the folder, where they may belong to something else. */
export function outsideNotes(count: number): readonly string[] {
  if (count === 0) return [];
  return [
    `${count === 1 ? '1 program outside of the folder is' : `${count} programs outside of the folder are`} left out.`,
  ];
}
