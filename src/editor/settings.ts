import * as vscode from 'vscode';

/** The settings of the extension, read when they are needed; `package.json` declares them. */
export interface CodeLensSettings {
  readonly enabled: boolean;
  /** Share of the run time (0…1) below which a measured function gets no lens. */
  readonly minimumShare: number;
}

export function codeLensSettings(scope: vscode.ConfigurationScope): CodeLensSettings {
  const settings = vscode.workspace.getConfiguration('kymo.codeLens', scope);
  return {
    enabled: settings.get('enabled', true),
    minimumShare: settings.get('minimumShare', 0) / 100,
  };
}
