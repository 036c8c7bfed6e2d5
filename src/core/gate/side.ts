import type { Side } from '../compare/sides';
import type { Figures } from './figures';
import type { RunGrowth } from './growth';

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
  readonly figures: Figures;
  /** Of each run; undefined: not all have iterations. */
  readonly growth: readonly RunGrowth[] | undefined;
}

/** The words of a command without folders: the same program may stand elsewhere. */
export function plainCommand(words: readonly string[]): readonly string[] {
  return words.map((word) => word.replace(/^(?:.*=)?\/.*\//, ''));
}
