import { withoutColours } from '../../measurement/build/diagnostics';
import type { Launcher } from '../../measurement/config/config';

/** A target as `kymo init` would write it; what is left out has kymo.json's default. */
export interface TargetDraft {
  readonly name: string;
  readonly build: { readonly command: string; readonly clean?: string; readonly cwd?: string };
  readonly executable: string;
  readonly arguments?: readonly string[];
  readonly parameters?: Readonly<Record<string, readonly (string | number)[]>>;
  /** Default: the program is started directly. */
  readonly launcher?: {
    readonly kind: Exclude<Launcher['kind'], 'local'>;
    readonly ranks: readonly number[];
  };
}

/** What was found, and what the user should look at. */
export interface Drafts {
  readonly targets: readonly TargetDraft[];
  readonly notes: readonly string[];
}

/** A program that the build makes, as the build system itself describes it. */
export interface Program {
  readonly name: string;
  /** Relative to the workspace, with "/". */
  readonly file: string;
  /** Where it is described or made; names such as "tests" say what it is for. */
  readonly folder: string;
  /** The build system's name of what makes it, where it can be made alone. */
  readonly target?: string;
  /** What the build itself uses it for, where that is known: helpers make sources. */
  readonly purpose?: 'installed' | 'helper';
  /** Commands or options that compile and link it; empty where nothing is known of them. */
  readonly commands: string;
}

/** What a build system answers: what it makes and how it is asked to make it, or why that is unknown. */
export type Answer =
  | {
      readonly kind: 'programs';
      readonly programs: readonly Program[];
      readonly notes: readonly string[];
      readonly build: (program: Program) => TargetDraft['build'];
    }
  /** A sentence: what failed and, where the tool says so, why. */
  | { readonly kind: 'unknown'; readonly why: string };

/** Folder of the builds that Kymo makes; the user's own build folder is left alone. */
export const buildFolder = 'build-kymo';

/** Text as one word for the shell. */
export function shellWord(text: string): string {
  return /^[A-Za-z0-9_./+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** The same in a build command: what looks like a placeholder of kymo.json stays the text that it is. */
export function buildWord(text: string): string {
  return shellWord(withoutPlaceholders(text));
}

/** As `buildWord`, behind a placeholder that stays one: `${cc}` with the options that belong to it. */
export function compilerWord(placeholder: string, options: readonly string[]): string {
  if (options.length === 0) return placeholder;
  return shellWord(`${placeholder} ${withoutPlaceholders(options.join(' '))}`);
}

function withoutPlaceholders(text: string): string {
  return text.replace(/\$(?=\{[A-Za-z_][A-Za-z0-9_-]*\})/g, '$$$$');
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

/** On one line, without colours and control characters. */
export function oneLine(text: string): string {
  return withoutColours(text)
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim();
}

/** Programs that a build puts outside of the folder: nobody knows to whom that belongs. */
export function outsideNotes(count: number): readonly string[] {
  if (count === 0) return [];
  return [
    `${count === 1 ? '1 program outside of the folder is' : `${count} programs outside of the folder are`} left out.`,
  ];
}
