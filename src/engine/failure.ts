import { KymoError } from '../core/errors';
import type { BuildDiagnostic, EngineFailure } from './wire';

/** What the extension throws for an error that happened in the engine process. */
export class EngineError extends KymoError {
  readonly diagnostics: readonly BuildDiagnostic[];

  constructor(readonly failure: EngineFailure) {
    super(failure.reason, failure.message, failure.where);
    this.diagnostics = failure.diagnostics;
    if (failure.stack !== undefined) this.stack = failure.stack;
  }
}

/** Packs whatever was thrown for the way to the extension. */
export function toFailure(error: unknown): EngineFailure {
  if (error instanceof KymoError) return knownFailure(error as KymoError);
  return {
    reason: 'internal',
    message: error instanceof Error ? error.message : String(error),
    where: {},
    diagnostics: [],
    ...(error instanceof Error && error.stack !== undefined ? { stack: error.stack } : {}),
  };
}

function knownFailure(error: KymoError): EngineFailure {
  const { reason, message, where } = error;
  return { reason, message, where, diagnostics: diagnosticsOf(error) };
}

/** Maximum number of diagnostics; the Problems view would be unusable with more. */
const maximumDiagnostics = 500;

function diagnosticsOf(error: KymoError): readonly BuildDiagnostic[] {
  if (!('diagnostics' in error) || !Array.isArray(error.diagnostics)) return [];
  return error.diagnostics.slice(0, maximumDiagnostics).filter(isDiagnostic);
}

function isDiagnostic(value: unknown): value is BuildDiagnostic {
  return (
    typeof value === 'object' &&
    value !== null &&
    'file' in value &&
    typeof value.file === 'string' &&
    'line' in value &&
    typeof value.line === 'number' &&
    'message' in value &&
    typeof value.message === 'string' &&
    'severity' in value &&
    typeof value.severity === 'string'
  );
}
