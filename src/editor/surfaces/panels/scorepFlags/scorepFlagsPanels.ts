import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import type { ScorepFlagsEvents, ScorepFlagsRequests } from '../../../../protocol/scorepFlags';
import { pickFolder } from '../../../actions/pick';
import type { Kymo } from '../../../state/kymo';
import { localFolders } from '../../../state/studies/studies';
import { Panels } from '../panels';
import { shownBefore } from './requests';
import { type FlagsShown, ScorepFlagsPanel } from './scorepFlagsPanel';

/** *Kymo: Score-P Flags*: a panel per folder. Without a folder it shows and copies options only. */
export class ScorepFlagsPanels implements vscode.Disposable {
  private readonly panels: Panels<ScorepFlagsRequests, ScorepFlagsEvents, FlagsShown, ScorepFlagsPanel>;

  constructor(kymo: Kymo) {
    this.panels = new Panels(kymo, {
      viewType: 'kymo.scorepFlags',
      view: 'scorepFlags',
      readState: shownBefore,
      make: (panel, shown) => new ScorepFlagsPanel(kymo, panel, shown),
    });
    kymo.command('kymo.showScorepFlags', (given: unknown) => this.show(given));
  }

  /** @param given a node of the Experiments tree, or nothing */
  private async show(given: unknown): Promise<void> {
    const shown = targetOfNode(given) ?? (await this.folder());
    if (shown === undefined) return;
    const present = this.panels.find(({ folder }) => folder === shown.folder);
    if (present === undefined) this.panels.open(titleOf(shown), shown);
    else present.reveal(shown);
  }

  private async folder(): Promise<FlagsShown | undefined> {
    if (localFolders().length === 0) return { folder: '' };
    const folder = await pickFolder(l10n.t('Kymo: Score-P Flags'));
    return folder === undefined ? undefined : { folder: folder.uri.toString() };
  }

  dispose(): void {
    this.panels.dispose();
  }
}

function titleOf({ folder }: FlagsShown): string {
  const folders = localFolders();
  const name = folders.find(({ uri }) => uri.toString() === folder)?.name;
  return folders.length > 1 && name !== undefined
    ? l10n.t`Score-P Flags of ${name}`
    : l10n.t('Score-P Flags');
}

/** The target of a node of the Experiments tree; undefined for nodes above targets. */
function targetOfNode(given: unknown): FlagsShown | undefined {
  if (typeof given !== 'object' || given === null) return undefined;
  const node = given as {
    readonly folder?: { readonly uri?: vscode.Uri };
    readonly name?: unknown;
    readonly study?: { readonly target?: unknown };
    readonly of?: unknown;
  };
  if (node.of !== undefined) return targetOfNode(node.of);
  const folder = localFolders().find(({ uri }) => uri.toString() === node.folder?.uri?.toString());
  const target = node.name ?? node.study?.target;
  return folder === undefined || typeof target !== 'string'
    ? undefined
    : { folder: folder.uri.toString(), target };
}
