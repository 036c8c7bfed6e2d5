import os from 'node:os';
import * as vscode from 'vscode';
import * as l10n from '@vscode/l10n';
import { withDelayedProgress } from '../../base/delayedProgress';
import { diagnosticsText, doctorReport, type DiagnosticsFacts } from '../../words/studies/reportText';
import type { MarkdownPages } from '../../base/markdownPages';
import type { Kymo } from '../../state/kymo';
import { declarations } from '../../state/settings/settings';
import { localFolders } from '../../state/studies/studies';

/** *Kymo: Collect Diagnostics*: a document for a bug report, opened and sent nowhere. */
export async function collectDiagnostics(kymo: Kymo): Promise<void> {
  const folders = await foldersOf(kymo);
  const facts: DiagnosticsFacts = {
    versions: versions(kymo),
    workspace: workspaceFacts(kymo),
    settings: changedSettings(),
    folders,
    log: kymo.logTail.lines,
  };
  await showMarkdown(diagnosticsText(facts, os.homedir()));
}

/** *Kymo: Run Doctor*: the tools of this machine, missing ones, and their origin. */
export async function runDoctor(kymo: Kymo, pages: MarkdownPages): Promise<void> {
  await pages.show('Kymo Doctor', doctorReport(await foldersOf(kymo), os.homedir()));
}

function foldersOf(kymo: Kymo): Promise<DiagnosticsFacts['folders']> {
  const places = localFolders().map(({ name, uri }) => ({ name, workspace: uri.fsPath }));
  // Doctor also works without a folder.
  const workspaces = places.length === 0 ? [{ name: 'none open', workspace: os.homedir() }] : places;
  return withDelayedProgress(l10n.t('Kymo: looking at this machine'), (signal) =>
    Promise.all(
      workspaces.map(async ({ name, workspace }) => {
        const [doctor, studies] = await Promise.all([
          kymo.engine.job('doctor', { workspace }, { signal }).catch(messageOf),
          places.length === 0 ? [] : kymo.engine.query('studies', { workspace }).catch(() => []),
        ]);
        return { name, doctor, studies };
      }),
    ),
  );
}

function versions(kymo: Kymo): DiagnosticsFacts['versions'] {
  const { version } = kymo.extension.extension.packageJSON as { readonly version: string };
  return [
    ['Kymo', version],
    ['VS Code', `${vscode.version} (${vscode.env.appName})`],
    ['Extension host', `Node ${process.versions.node}, ${process.platform} ${process.arch}`],
    ['System', `${os.type()} ${os.release()}`],
  ];
}

function workspaceFacts(kymo: Kymo): DiagnosticsFacts['workspace'] {
  const folders = vscode.workspace.workspaceFolders ?? [];
  return [
    [
      'Folders',
      `${folders.length} (${[...new Set(folders.map(({ uri }) => uri.scheme))].join(', ') || 'none'})`,
    ],
    ['Trusted', vscode.workspace.isTrusted ? 'yes' : 'no'],
    ['Remote', vscode.env.remoteName ?? 'no'],
    ['Window', vscode.env.uiKind === vscode.UIKind.Web ? 'browser' : 'desktop'],
    [
      'Refining',
      localFolders()
        .map((folder) => kymo.refinements.stateOf(folder).phase)
        .join(', ') || 'no',
    ],
  ];
}

function changedSettings(): DiagnosticsFacts['settings'] {
  return [...declarations().keys()].flatMap((name) => {
    const inspected = vscode.workspace.getConfiguration().inspect(name);
    const value: unknown = inspected?.workspaceValue ?? inspected?.globalValue;
    return value === undefined ? [] : [[name, value] as const];
  });
}

async function showMarkdown(content: string): Promise<void> {
  const document = await vscode.workspace.openTextDocument({ language: 'markdown', content });
  await vscode.window.showTextDocument(document);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
