import * as vscode from 'vscode';
import { declaredSettings, settingFault, type SettingDeclaration } from './settingRules';

/** The settings of the extension, read when they are needed; `package.json` declares them. */
export interface CodeLensSettings {
  readonly enabled: boolean;
  /** Share of the run time (0…1) below which a measured function gets no lens. */
  readonly minimumShare: number;
}

export function codeLensSettings(scope: vscode.ConfigurationScope): CodeLensSettings {
  return {
    enabled: readSetting(scope, 'kymo.codeLens.enabled', true),
    minimumShare: readSetting(scope, 'kymo.codeLens.minimumShare', 0) / 100,
  };
}

/**
 * The value of a declared setting. One that breaks its declaration counts as not set (`SettingsWatch` tells the user).
 * @param name the full name, as in `package.json`
 */
export function readSetting<Value extends boolean | number | string>(
  scope: vscode.ConfigurationScope | undefined,
  name: string,
  otherwise: Value,
): Value {
  const value = vscode.workspace.getConfiguration(undefined, scope).get<unknown>(name);
  if (value === undefined || settingFault(declarations().get(name) ?? {}, value) !== undefined)
    return otherwise;
  return value as Value;
}

let known: ReadonlyMap<string, SettingDeclaration> | undefined;

/** All settings that this extension declares. */
export function declarations(): ReadonlyMap<string, SettingDeclaration> {
  known ??= declaredSettings(manifest().contributes?.configuration);
  return known;
}

function manifest(): { readonly contributes?: { readonly configuration?: unknown } } {
  return (vscode.extensions.getExtension('kymo.kymo')?.packageJSON ?? {}) as {
    readonly contributes?: { readonly configuration?: unknown };
  };
}
