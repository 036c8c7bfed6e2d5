import * as vscode from 'vscode';
import { warningSource } from './measurementWarnings';
import { nameRange } from './nameRange';
import { SettledProblems } from './settledProblems';
import { severityOf } from '../../../core/properties/property';
import type { Kymo } from '../../state/kymo';
import { changedText } from '../../words/lensText';
import { annotationSettings, dynamicsSettings, propertyThreshold } from '../../state/settings/settings';
import type { FoundDynamics } from '../../state/dynamics/dynamics';
import { dynamicsSentence } from '../../words/dynamicsText';
import type { PropertiesAtLine } from '../../state/dynamics/placedProperties';

/** More files would drown what the user looks for. */
const maximumFiles = 100;
/** Of one region; the Properties view has all. */
const maximumPerLine = 5;

/** Degradations in the Problems view: severe ones are warnings, others information. They follow the lines, and go with the one switch. */
export class DynamicsProblems implements vscode.Disposable {
  private readonly collection = vscode.languages.createDiagnosticCollection('kymo-dynamics');
  private readonly subscriptions: readonly { dispose(): unknown }[];
  private readonly problems = new SettledProblems(this.collection, {
    files: () => this.files(),
    problemsOf: (uri: vscode.Uri) => this.diagnosticsOf(uri),
  });

  constructor(private readonly kymo: Kymo) {
    this.subscriptions = [
      this.problems,
      this.collection,
      kymo.dynamics.onDidChange(() => this.problems.showSoon()),
      kymo.dynamics.lineMaps.onDidChange((document) => void this.follow(document)),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (
          ['dynamics', 'annotations', 'properties'].some((name) => event.affectsConfiguration(`kymo.${name}`))
        )
          this.problems.showSoon();
      }),
    ];
    this.problems.showSoon();
  }

  dispose(): void {
    for (const one of this.subscriptions) one.dispose();
  }

  private async *files(): AsyncGenerator<vscode.Uri> {
    for (const { byFile } of await this.kymo.dynamics.found()) {
      for (const file of [...byFile.keys()].slice(0, maximumFiles)) {
        const named = vscode.Uri.file(file);
        yield await this.kymo.studies.today(named).catch(() => named);
      }
    }
  }

  private async follow(document: vscode.TextDocument): Promise<void> {
    if (this.collection.has(document.uri)) await this.problems.showDocument(document);
  }

  private async diagnosticsOf(uri: vscode.Uri): Promise<vscode.Diagnostic[]> {
    const { problems, warningShare } = dynamicsSettings(uri);
    if (!problems || !annotationSettings(uri).enabled) return [];
    const file = await this.kymo.dynamics.inFile(uri, await this.kymo.dynamics.found());
    if (file === undefined) return [];
    const threshold = propertyThreshold(uri);
    const texts = await this.textsOf(
      uri,
      file.groups.map(({ line }) => line),
    );
    return file.groups.flatMap((group, at) =>
      diagnosticsAt(file.of, group, texts[at] ?? '', { threshold, warningShare }),
    );
  }

  private async textsOf(uri: vscode.Uri, lines: readonly number[]): Promise<readonly string[]> {
    const open = vscode.workspace.textDocuments.find((one) => one.uri.toString() === uri.toString());
    if (open === undefined) return this.kymo.engine.query('lineTexts', { path: uri.fsPath, lines });
    return lines.map((line) => (line <= open.lineCount ? open.lineAt(line - 1).text : ''));
  }
}

function diagnosticsAt(
  of: FoundDynamics,
  { line, stale, properties }: PropertiesAtLine,
  text: string,
  { threshold, warningShare }: { readonly threshold: number; readonly warningShare: number },
): readonly vscode.Diagnostic[] {
  return properties
    .filter((property) => severityOf(property) >= threshold)
    .slice(0, maximumPerLine)
    .map((property) => {
      const diagnostic = new vscode.Diagnostic(
        nameRange(line, text, property.region?.name ?? ''),
        `${dynamicsSentence(property)}${stale ? ` (${changedText})` : ''}`,
        severityOf(property) >= warningShare && property.kind !== 'improvement'
          ? vscode.DiagnosticSeverity.Warning
          : vscode.DiagnosticSeverity.Information,
      );
      diagnostic.source = warningSource;
      diagnostic.code = property.kind;
      if (of.opened.studyDirectory === undefined) diagnostic.source = `${warningSource}: ${of.opened.title}`;
      return diagnostic;
    });
}
