import * as vscode from 'vscode';
import { kindRecord } from '../../../core/properties/kinds';
import { severityOf } from '../../../core/properties/property';
import type { FoundProperty } from '../../../workflows/views/dynamicsInSource';
import type { Kymo } from '../../state/kymo';
import type { FindingsInFile } from '../../state/findings/findings';
import type { FoundIn, ProblemLevel, PropertySource } from '../../state/findings/propertySource';
import { propertyThreshold } from '../../state/settings/settings';
import { problemsAtLine } from '../../words/findings/findingTexts';
import { CallerPlaces } from './callerPlaces';
import { nameRange } from './nameRange';
import { SettledProblems } from './settledProblems';
import { warningSource, warningSourceOf } from './warningSource';

/** Maximum number of files with problems: more would hide the important ones. */
const maximumFiles = 100;

interface ShownSource {
  readonly collection: vscode.DiagnosticCollection;
  readonly problems: SettledProblems<vscode.Uri, vscode.Diagnostic>;
}

/** The findings of all sources in the Problems view and under the names of functions, at current lines. */
export class FindingProblems implements vscode.Disposable {
  private readonly shown = new Map<PropertySource, ShownSource>();
  private readonly subscriptions: readonly { dispose(): unknown }[];

  constructor(private readonly kymo: Pick<Kymo, 'findings' | 'studies' | 'placed' | 'engine'>) {
    const { findings } = kymo;
    this.subscriptions = [
      findings.onDidChange((source) => this.shownOf(source).problems.showSoon()),
      findings.onDidMove((document) => void this.follow(document)),
      vscode.workspace.onDidOpenTextDocument((document) => void this.showDocument(document)),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (
          ['dynamics', 'annotations', 'properties'].some((name) => event.affectsConfiguration(`kymo.${name}`))
        )
          for (const { problems } of this.shown.values()) problems.showSoon();
      }),
    ];
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
    for (const { collection, problems } of this.shown.values()) {
      problems.dispose();
      collection.dispose();
    }
  }

  private shownOf(source: PropertySource): ShownSource {
    const existing = this.shown.get(source);
    if (existing !== undefined) return existing;
    const collection = vscode.languages.createDiagnosticCollection(`kymo-${source.name}`);
    const problems = new SettledProblems(collection, {
      files: () => this.files(source),
      problemsOf: (uri: vscode.Uri) => this.diagnosticsOf(source, uri),
    });
    const shown = { collection, problems };
    this.shown.set(source, shown);
    return shown;
  }

  private async *files(source: PropertySource): AsyncGenerator<vscode.Uri> {
    const { findings, studies } = this.kymo;
    for (const part of await findings.of(source)) {
      const isProblem = problemsOf(part, part.folder.uri);
      const files = [...findings.filesOf(part)].filter(([, properties]) => properties.some(isProblem));
      for (const [file] of files.slice(0, maximumFiles)) {
        const named = vscode.Uri.file(file);
        yield await studies.today(named).catch(() => named);
      }
    }
    // Properties name the former paths of documents that were moved since the run.
    for (const { uri } of vscode.workspace.textDocuments) if (uri.scheme === 'file') yield uri;
  }

  private async showDocument(document: vscode.TextDocument): Promise<void> {
    if (document.uri.scheme !== 'file') return;
    await Promise.all([...this.shown.values()].map(({ problems }) => problems.showDocument(document)));
  }

  /** Updates the problems of an edited document, and of the files whose problems refer to it. */
  private async follow(document: vscode.TextDocument): Promise<void> {
    await this.showDocument(document);
    const edited = document.uri.toString();
    for (const { collection, problems } of this.shown.values()) {
      const leading: vscode.Uri[] = [];
      collection.forEach((uri, diagnostics) => {
        if (uri.toString() !== edited && diagnostics.some((problem) => leadsTo(problem, edited)))
          leading.push(uri);
      });
      await problems.showFiles(leading);
    }
  }

  private async diagnosticsOf(source: PropertySource, uri: vscode.Uri): Promise<vscode.Diagnostic[]> {
    const { findings } = this.kymo;
    const files = await findings.inFile(uri, await findings.of(source));
    return (await Promise.all(files.map((file) => this.diagnosticsIn(uri, file)))).flat();
  }

  private async diagnosticsIn(
    uri: vscode.Uri,
    { of, groups }: FindingsInFile,
  ): Promise<readonly vscode.Diagnostic[]> {
    const isProblem = problemsOf(of, uri);
    const lines = groups.filter(({ properties }) => properties.some(isProblem));
    if (lines.length === 0) return [];
    const texts = await this.textsOf(
      uri,
      lines.map(({ line }) => line),
    );
    const places = new CallerPlaces(this.kymo);
    const diagnostics = lines.flatMap((group, position) =>
      problemsAtLine(group, isProblem).map(async ({ property, message }) => {
        const range = nameRange(group.line, texts[position] ?? '', property.region?.name ?? '');
        const level = levelOf(of, property, uri) ?? 'information';
        const diagnostic = new vscode.Diagnostic(range, message, severities[level]);
        diagnostic.source =
          of.problemSource === undefined ? warningSource : warningSourceOf(of.problemSource);
        diagnostic.code = property.kind;
        diagnostic.relatedInformation = await places.of(of.related?.(property) ?? []);
        return diagnostic;
      }),
    );
    return Promise.all(diagnostics);
  }

  private async textsOf(uri: vscode.Uri, lines: readonly number[]): Promise<readonly string[]> {
    const open = vscode.workspace.textDocuments.find(
      (document) => document.uri.toString() === uri.toString(),
    );
    if (open === undefined) return this.kymo.engine.query('lineTexts', { path: uri.fsPath, lines });
    return lines.map((line) => (line <= open.lineCount ? open.lineAt(line - 1).text : ''));
  }
}

function leadsTo({ relatedInformation = [] }: vscode.Diagnostic, document: string): boolean {
  return relatedInformation.some(({ location }) => location.uri.toString() === document);
}

function problemsOf(of: FoundIn, uri: vscode.Uri): (property: FoundProperty) => boolean {
  return (property) => levelOf(of, property, uri) !== undefined;
}

function levelOf(of: FoundIn, property: FoundProperty, uri: vscode.Uri): ProblemLevel | undefined {
  if (of.levelOf !== undefined) return of.levelOf(property, uri);
  const { level } = kindRecord(property.kind);
  return level === 'note' || severityOf(property) < propertyThreshold(uri) ? undefined : level;
}

const severities: Readonly<Record<ProblemLevel, vscode.DiagnosticSeverity>> = {
  error: vscode.DiagnosticSeverity.Error,
  warning: vscode.DiagnosticSeverity.Warning,
  information: vscode.DiagnosticSeverity.Information,
  hint: vscode.DiagnosticSeverity.Hint,
};
