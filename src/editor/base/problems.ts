import * as vscode from 'vscode';
import type { KymoError } from '../../core/errors';
import { EngineError } from '../../engine/failure';
import type { BuildDiagnostic } from '../../engine/wire';

/** Errors of the last run in the Problems view: the compiler's messages, and the place in `kymo.json`. */
export class Problems implements vscode.Disposable {
  private readonly collection = vscode.languages.createDiagnosticCollection('kymo');

  clear(): void {
    this.collection.clear();
  }

  /** Returns the number of added problems. */
  show(error: KymoError): number {
    const byFile = new Map<string, vscode.Diagnostic[]>();
    const all = placesOf(error);
    for (const place of all) {
      const inFile = byFile.get(place.file);
      if (inFile === undefined) byFile.set(place.file, [toDiagnostic(place)]);
      else inFile.push(toDiagnostic(place));
    }
    for (const [file, diagnostics] of byFile) this.collection.set(vscode.Uri.file(file), diagnostics);
    return all.length;
  }

  dispose(): void {
    this.collection.dispose();
  }
}

function placesOf(error: KymoError): readonly BuildDiagnostic[] {
  if (error instanceof EngineError && error.diagnostics.length > 0) return error.diagnostics;
  const { file, line, column } = error.where;
  if (file === undefined || line === undefined) return [];
  return [
    { file, line, severity: 'error', message: error.message, ...(column === undefined ? {} : { column }) },
  ];
}

function toDiagnostic({ line, column, severity, message }: BuildDiagnostic): vscode.Diagnostic {
  const row = Math.max(0, line - 1);
  // An empty range at a column marks the word there; without a column the whole line is marked.
  const range =
    column === undefined
      ? new vscode.Range(row, 0, row, Number.MAX_SAFE_INTEGER)
      : new vscode.Range(row, Math.max(0, column - 1), row, Math.max(0, column - 1));
  const diagnostic = new vscode.Diagnostic(range, message, toSeverity(severity));
  diagnostic.source = 'Kymo';
  return diagnostic;
}

function toSeverity(severity: string): vscode.DiagnosticSeverity {
  if (severity.includes('error')) return vscode.DiagnosticSeverity.Error;
  return severity === 'warning' ? vscode.DiagnosticSeverity.Warning : vscode.DiagnosticSeverity.Information;
}
