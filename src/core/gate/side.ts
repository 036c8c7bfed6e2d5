import type { Side } from '../compare/sides';

/** How a side was measured, as far as that decides whether times can be compared. */
export interface GateFacts {
  readonly target: string;
  /** Words that started it, without folders. */
  readonly command: readonly string[];
  readonly parameters: Readonly<Record<string, string>>;
  readonly ranks: number;
  readonly threads?: number;
  readonly compiler: string;
  readonly host: string;
  readonly git?: { readonly commit: string; readonly dirty: boolean };
}

/** Repetitions of one program with what a gate judges beside the times of functions. */
export interface GateSide extends Side {
  /** Undefined: profiles without their experiments. */
  readonly facts: GateFacts | undefined;
  /** Of each run: the largest memory of a process in bytes, and the largest computing time of a rank ÷ the mean of all, − 1; undefined: not known of all. */
  readonly memory: readonly number[] | undefined;
  readonly imbalance: readonly number[] | undefined;
}

/** The words of a command without folders: the same program may stand elsewhere. */
export function plainCommand(words: readonly string[]): readonly string[] {
  return words.map((word) => word.replace(/^(?:.*=)?\/.*\//, ''));
}
