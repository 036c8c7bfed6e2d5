import * as vscode from 'vscode';
import * as l10n from '@vscode/l10n';
import { settingFault } from '../../state/settings/settingRules';
import { declarations } from '../../state/settings/settings';

/** A setting whose value violates its declaration, and the level where it is set. */
interface Fault {
  readonly name: string;
  readonly why: string;
  readonly level: 'user' | 'workspace' | 'folder';
  readonly folder?: vscode.WorkspaceFolder;
}

/** The command that opens the settings of a level as text, at a given key. */
const openers = {
  user: 'workbench.action.openSettingsJson',
  workspace: 'workbench.action.openWorkspaceSettingsFile',
  folder: 'workbench.action.openFolderSettingsFile',
} as const;

/** Shows a message about invalid settings, once for each value, with an action that opens the setting. */
export class SettingsWatch implements vscode.Disposable {
  /** Faults that were shown and still exist, so that a change of another setting does not show them again. */
  private reported = new Set<string>();
  private readonly subscription = vscode.workspace.onDidChangeConfiguration((event) => {
    if (event.affectsConfiguration('kymo')) this.check();
  });

  constructor() {
    this.check();
  }

  private check(): void {
    const faults = findFaults();
    const fresh = faults.filter((fault) => !this.reported.has(identity(fault)));
    this.reported = new Set(faults.map(identity));
    const [first] = fresh;
    if (first !== undefined) void tell(first, fresh.length - 1);
  }

  dispose(): void {
    this.subscription.dispose();
  }
}

async function tell(fault: Fault, others: number): Promise<void> {
  const open = l10n.t('Open Setting');
  const choice = await vscode.window.showWarningMessage(
    [
      l10n.t`The setting ${fault.name} ${fault.why}. Until then it counts as not set.`,
      ...(others === 0
        ? []
        : [others === 1 ? l10n.t('1 more setting is wrong.') : l10n.t`${others} more settings are wrong.`]),
    ].join(' '),
    open,
  );
  if (choice !== open) return;
  await vscode.commands.executeCommand(openers[fault.level], {
    revealSetting: { key: fault.name },
    ...(fault.folder === undefined ? {} : { folderUri: fault.folder.uri }),
  });
}

/** Checks each level, so that an invalid value of the workspace does not hide behind the user's. */
function findFaults(): readonly Fault[] {
  return [...declarations()].flatMap(([name, declaration]) => {
    const general = vscode.workspace.getConfiguration().inspect(name);
    const folders = vscode.workspace.workspaceFolders ?? [];
    const values: readonly (Omit<Fault, 'name' | 'why'> & { readonly value: unknown })[] = [
      { level: 'user', value: general?.globalValue },
      { level: 'workspace', value: general?.workspaceValue },
      // With one folder, its settings are the workspace's.
      ...(vscode.workspace.workspaceFile === undefined ? [] : folders).map((folder) => ({
        level: 'folder' as const,
        folder,
        value: vscode.workspace.getConfiguration(undefined, folder).inspect(name)?.workspaceFolderValue,
      })),
    ];
    return values.flatMap(({ value, ...place }) => {
      const why = value === undefined ? undefined : settingFault(declaration, value);
      return why === undefined ? [] : [{ name, why, ...place }];
    });
  });
}

function identity({ name, why, level, folder }: Fault): string {
  return JSON.stringify([name, why, level, folder?.uri.toString()]);
}
