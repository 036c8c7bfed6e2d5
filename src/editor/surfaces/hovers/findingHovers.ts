import * as vscode from 'vscode';
import type { Kymo } from '../../state/kymo';
import { annotationSettings, propertyThreshold } from '../../state/settings/settings';
import { findingMarkdown } from '../../actions/findingMarkdown';

/** Hover at the first line of a function: the sentences of its findings. */
export class FindingHovers implements vscode.HoverProvider, vscode.Disposable {
  private readonly registration = vscode.languages.registerHoverProvider({ scheme: 'file' }, this);

  constructor(private readonly kymo: Pick<Kymo, 'findings'>) {}

  async provideHover(
    document: vscode.TextDocument,
    position: vscode.Position,
  ): Promise<vscode.Hover | undefined> {
    const { enabled, display } = annotationSettings(document.uri);
    // A text behind the line has its own hover.
    if (!enabled || display === 'endOfLine') return undefined;
    const files = await this.kymo.findings.inDocument(document);
    const texts = findingMarkdown(files, propertyThreshold(document.uri)).get(position.line + 1) ?? [];
    return texts.length === 0 ? undefined : new vscode.Hover([...texts]);
  }

  dispose(): void {
    this.registration.dispose();
  }
}
