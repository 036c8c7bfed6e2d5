import { KymoError } from '../core/errors';
import { present } from '../core/present';
import type { Diagnostic } from '../measurement/build/diagnostics';
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

/** A `BuildError` has them: checked by its shape, because the extension's bundle contains no code that builds. */
function diagnosticsOf(error: KymoError): readonly BuildDiagnostic[] {
  if (!('diagnostics' in error) || !Array.isArray(error.diagnostics)) return [];
  const diagnostics = error.diagnostics as readonly Partial<Diagnostic>[];
  return diagnostics.flatMap(withPlace).slice(0, maximumDiagnostics);
}

/** None for messages of drivers and linkers about no file. */
function withPlace({ file, line, column, severity, text }: Partial<Diagnostic>): readonly BuildDiagnostic[] {
  if (file === undefined || line === undefined || severity === undefined || text === undefined) return [];
  return [{ file, line, severity, message: text, ...present({ column }) }];
}
