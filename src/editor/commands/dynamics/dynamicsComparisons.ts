import path from 'node:path';
import * as vscode from 'vscode';
import * as l10n from '@vscode/l10n';
import { withDelayedProgress } from '../../base/delayedProgress';
import type { Kymo } from '../../state/kymo';
import type { CompareDynamicsRequest } from '../../../workflows/compareDynamics';

const scheme = 'kymo-dynamics';

/** Two runs by a common axis as a document to read. */
export class DynamicsComparisons implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly subscription = vscode.workspace.registerTextDocumentContentProvider(scheme, this);

  constructor(private readonly kymo: Kymo) {}

  async show(request: CompareDynamicsRequest): Promise<void> {
    const names = request.inputs.map((input) => path.basename(input)).join(' and ');
    const uri = vscode.Uri.from({ scheme, path: `/${names}.md`, query: JSON.stringify(request) });
    await vscode.commands.executeCommand('markdown.showPreview', uri);
  }

  /** Replaces the comparison by the reason why there is none. */
  async provideTextDocumentContent({ query }: vscode.Uri): Promise<string> {
    try {
      const request = requestOf(query);
      if (request === undefined)
        return `${l10n.t('This comparison is no longer available. Compare again.')}\n`;
      const workspace = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? path.dirname(request.inputs[0]);
      return await withDelayedProgress(l10n.t('Kymo: comparing two runs'), (signal) =>
        this.kymo.engine.job('compareDynamics', { ...request, workspace }, { signal }),
      );
    } catch (error) {
      return `${l10n.t`The runs cannot be compared: ${error instanceof Error ? error.message : String(error)}`}\n`;
    }
  }

  dispose(): void {
    this.subscription.dispose();
  }
}

/** Documents may be opened again after a reload, or by other extensions: they name files that are only read. */
function requestOf(query: string): CompareDynamicsRequest | undefined {
  const value: unknown = JSON.parse(query);
  if (typeof value !== 'object' || value === null) return undefined;
  const { inputs, axis } = value as { readonly inputs?: unknown; readonly axis?: unknown };
  const [first, second, ...more] = texts(inputs);
  const widths = texts(axis);
  return first === undefined || second === undefined || more.length > 0 || widths.length === 0
    ? undefined
    : { inputs: [first, second], axis: widths };
}

function texts(value: unknown): readonly string[] {
  if (!Array.isArray(value)) return [];
  return (value as readonly unknown[]).filter((file) => typeof file === 'string');
}
