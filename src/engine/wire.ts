import type { ErrorPlace } from '../core/errors';
import type { WorkPhase } from '../core/progress';

/** Extension → engine. */
export type ToEngine =
  | {
      readonly kind: 'request';
      readonly id: number;
      readonly name: string;
      readonly options: unknown;
      /** Whether the window trusts its workspace. */
      readonly trusted: boolean;
    }
  | { readonly kind: 'cancel'; readonly id: number }
  /** The receiver has taken a part of a stream. */
  | { readonly kind: 'taken'; readonly id: number };

/** Reports of a request while it runs. */
export type EngineEvent =
  | {
      readonly kind: 'progress';
      readonly message: string;
      /** Completed share (0…1) of the whole work. */
      readonly fraction?: number;
      readonly remainingSeconds?: number;
      readonly phase?: WorkPhase;
    }
  | { readonly kind: 'log'; readonly lines: readonly string[] };

/** Engine → extension. */
export type FromEngine =
  /** The process has started. */
  | { readonly kind: 'ready' }
  /** The handler runs from now on. */
  | { readonly kind: 'began'; readonly id: number; readonly writes: boolean }
  | { readonly kind: 'event'; readonly id: number; readonly event: EngineEvent }
  | { readonly kind: 'part'; readonly id: number; readonly part: unknown }
  /** The end of a stream has no result. */
  | { readonly kind: 'result'; readonly id: number; readonly result: unknown }
  | { readonly kind: 'error'; readonly id: number; readonly error: EngineFailure };

/** A `KymoError` on its way between processes. */
export interface EngineFailure {
  readonly reason: string;
  readonly message: string;
  readonly where: ErrorPlace;
  readonly diagnostics: readonly BuildDiagnostic[];
  /** Only for reason `internal`. */
  readonly stack?: string;
}

/** A message of a compiler. */
export interface BuildDiagnostic {
  /** Absolute path. */
  readonly file: string;
  /** 1-based. */
  readonly line: number;
  readonly column?: number;
  readonly severity: string;
  readonly message: string;
}

/** Maximum number of parts of a stream that are sent before the receiver takes one. */
export const partsAhead = 8;
