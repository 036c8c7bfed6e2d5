import * as vscode from 'vscode';
import { nameRange } from '../diagnostics/nameRange';
import { warningSource } from '../diagnostics/measurementWarnings';
import type { Kymo } from '../kymo';
import { changedText } from '../lenses/lensText';
import { annotationSettings, dynamicsSettings, propertyThreshold } from '../settings';
import type { FoundDynamics } from './dynamics';
import { dynamicsSentence } from './dynamicsText';
import type { PropertiesAtLine } from './placedProperties';

/** More files would drown what the user looks for. */
const maximumFiles = 100;
/** Of one region; the Properties view has all. */
const maximumPerLine = 5;
const settleMilliseconds = 100;

/** Degradations in the Problems view: severe ones are warnings, others information. They follow the lines, and go with the one switch. */
export class DynamicsProblems implements vscode.Disposable {
  private readonly collection = vscode.languages.createDiagnosticCollection('kymo-dynamics');
  private readonly subscriptions: readonly { dispose(): unknown }[];
  private timer: NodeJS.Timeout | undefined;
  /** Of the last look at everything; an older one that is still under way tells nothing any more. */
  private round = 0;

  constructor(private readonly kymo: Kymo) {
    this.subscriptions = [
      this.collection,
      kymo.dynamics.onDidChange(() => this.showSoon()),
      kymo.dynamics.lineMaps.onDidChange((document) => void this.follow(document)),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (
          ['dynamics', 'annotations', 'properties'].some((name) => event.affectsConfiguration(`kymo.${name}`))
        )
          this.showSoon();
      }),
    ];
    this.showSoon();
  }

  dispose(): void {
    clearTimeout(this.timer);
    for (const one of this.subscriptions) one.dispose();
  }

  private showSoon(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.showAll(), settleMilliseconds);
  }

  private async showAll(): Promise<void> {
    const round = ++this.round;
    const shown: [vscode.Uri, vscode.Diagnostic[]][] = [];
    for (const of of await this.kymo.dynamics.found()) {
      for (const file of [...of.byFile.keys()].slice(0, maximumFiles)) {
        const named = vscode.Uri.file(file);
        const uri = await this.kymo.studies.today(named).catch(() => named);
        const diagnostics = await this.diagnosticsOf(uri).catch(() => []);
        if (diagnostics.length > 0) shown.push([uri, diagnostics]);
      }
    }
    if (round !== this.round) return;
    this.collection.clear();
    this.collection.set(shown);
  }

  private async follow(document: vscode.TextDocument): Promise<void> {
    if (!this.collection.has(document.uri)) return;
    const { version } = document;
    const diagnostics = await this.diagnosticsOf(document.uri).catch(() => []);
    if (document.version === version) this.collection.set(document.uri, diagnostics);
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
    .filter(({ severity }) => severity >= threshold)
    .slice(0, maximumPerLine)
    .map((property) => {
      const diagnostic = new vscode.Diagnostic(
        nameRange(line, text, property.region?.name ?? ''),
        `${dynamicsSentence(property)}${stale ? ` (${changedText})` : ''}`,
        property.severity >= warningShare && property.kind !== 'improvement'
          ? vscode.DiagnosticSeverity.Warning
          : vscode.DiagnosticSeverity.Information,
      );
      diagnostic.source = warningSource;
      diagnostic.code = property.kind;
      if (of.opened.studyDirectory === undefined) diagnostic.source = `${warningSource}: ${of.opened.title}`;
      return diagnostic;
    });
}
