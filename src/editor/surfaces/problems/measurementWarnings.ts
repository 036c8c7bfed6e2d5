import * as vscode from 'vscode';
import type { Kymo } from '../../state/kymo';
import { warningSettings, type WarningLevel } from '../../state/settings/settings';
import { localFolders } from '../../state/studies/studies';
import { CallerPlaces } from './callerPlaces';
import { findings, mayBeFound, type Finding, type FindingRules } from '../../words/findings';
import { nameRange } from './nameRange';
import { SettledProblems } from './settledProblems';

export const warningSource = 'Kymo';
/** More files would drown what the user looks for. */
const maximumFiles = 100;

/** Functions that are expensive to record, or that cannot be recorded, in the Problems view and under their names. */
export class MeasurementWarnings implements vscode.Disposable {
  private readonly collection = vscode.languages.createDiagnosticCollection('kymo-measurement');
  private readonly subscriptions: readonly { dispose(): unknown }[];
  private readonly problems = new SettledProblems(this.collection, {
    files: () => this.files(),
    problemsOf: (uri: vscode.Uri) => this.diagnosticsOf(uri),
  });

  constructor(private readonly kymo: Kymo) {
    this.subscriptions = [
      this.problems,
      this.collection,
      kymo.studies.onDidChange(() => this.problems.showSoon()),
      kymo.pins.onDidChange(() => this.problems.showSoon()),
      kymo.lineMaps.onDidChange((document) => void this.follow(document)),
      vscode.workspace.onDidOpenTextDocument((document) => void this.showDocument(document)),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('kymo.warnings')) this.problems.showSoon();
      }),
    ];
    this.problems.showSoon();
  }

  dispose(): void {
    for (const one of this.subscriptions) one.dispose();
  }

  private async *files(): AsyncGenerator<vscode.Uri> {
    for (const folder of localFolders()) yield* await this.filesToLookAt(folder);
  }

  private async showDocument(document: vscode.TextDocument): Promise<void> {
    if (document.uri.scheme === 'file') await this.problems.showDocument(document);
  }

  /** Of a document that was edited, and of the files whose warnings lead to it. */
  private async follow(document: vscode.TextDocument): Promise<void> {
    await this.showDocument(document);
    const edited = document.uri.toString();
    const leading: vscode.Uri[] = [];
    this.collection.forEach((uri, diagnostics) => {
      if (uri.toString() !== edited && diagnostics.some((one) => leadsTo(one, edited))) leading.push(uri);
    });
    await this.problems.showFiles(leading);
  }

  /** The files of the shown study with functions that may be reported. */
  private async filesToLookAt(folder: vscode.WorkspaceFolder): Promise<readonly vscode.Uri[]> {
    const rules = rulesFor(folder);
    const functions = (await this.kymo.studies.shownOf(folder))?.functions ?? [];
    const files = new Set(
      functions.flatMap((one) => (one.file !== undefined && mayBeFound(one, rules) ? [one.file] : [])),
    );
    const uris = [...files].slice(0, maximumFiles).map((file) => vscode.Uri.file(file));
    const known = new Set(uris.map((uri) => uri.toString()));
    // Documents that were moved since the run are not where the study says.
    const open = vscode.workspace.textDocuments.filter(
      ({ uri }) => vscode.workspace.getWorkspaceFolder(uri) === folder && !known.has(uri.toString()),
    );
    return [...uris, ...open.map(({ uri }) => uri)];
  }

  private async diagnosticsOf(uri: vscode.Uri): Promise<vscode.Diagnostic[]> {
    const placed = await this.kymo.placed.ofFile(uri);
    if (placed === undefined) return [];
    const { file, textsOf } = placed;
    const pinned = await this.kymo.pins.statesOf(file.folder);
    const found = findings(file.groups, rulesFor(uri), pinned, (rows) => file.functions.at(rows));
    if (found.length === 0) return [];
    const { overheadLevel, inlinedLevel } = warningSettings(uri);
    const levels = { 'excessive-overhead': overheadLevel, 'inlined-away': inlinedLevel };
    const texts = await textsOf(found.map(({ group }) => group.line));
    const places = new CallerPlaces(this.kymo, uri, file);
    return Promise.all(
      found.map(async (finding, at) => {
        const diagnostic = diagnosticOf(finding, texts[at] ?? '', levels[finding.rule]);
        diagnostic.relatedInformation = await places.of(finding.callers);
        return diagnostic;
      }),
    );
  }
}

function leadsTo({ relatedInformation = [] }: vscode.Diagnostic, document: string): boolean {
  return relatedInformation.some(({ location }) => location.uri.toString() === document);
}

function rulesFor(scope: vscode.ConfigurationScope): FindingRules {
  const { overheadPercent, overheadLevel, inlinedLevel } = warningSettings(scope);
  return {
    overheadPercent: overheadLevel === 'off' ? undefined : overheadPercent,
    inlinedAway: inlinedLevel !== 'off',
  };
}

function diagnosticOf(
  { rule, group, message }: Finding,
  text: string,
  level: WarningLevel,
): vscode.Diagnostic {
  const range = nameRange(group.line, text, group.functions[0]?.name ?? '');
  const diagnostic = new vscode.Diagnostic(range, message, severities[level]);
  diagnostic.source = warningSource;
  diagnostic.code = rule;
  return diagnostic;
}

const severities: Readonly<Record<WarningLevel, vscode.DiagnosticSeverity>> = {
  error: vscode.DiagnosticSeverity.Error,
  warning: vscode.DiagnosticSeverity.Warning,
  information: vscode.DiagnosticSeverity.Information,
  hint: vscode.DiagnosticSeverity.Hint,
  off: vscode.DiagnosticSeverity.Hint,
};
