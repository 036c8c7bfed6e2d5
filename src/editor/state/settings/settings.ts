import * as vscode from 'vscode';
import { declaredSettings, settingFault, type SettingDeclaration } from './settingRules';

/** Settings of annotations in source files, read on demand; `package.json` declares them. */
export interface AnnotationSettings {
  /** The switch for all annotations. */
  readonly enabled: boolean;
  readonly display: 'above' | 'endOfLine' | 'off';
  /** Share of the run time (0…1) below which a measured function gets no lens. */
  readonly minimumShare: number;
  readonly heat: boolean;
}

export function annotationSettings(scope: vscode.ConfigurationScope): AnnotationSettings {
  return {
    enabled: readSetting(scope, 'kymo.annotations.enabled', true),
    display: readSetting<AnnotationSettings['display']>(scope, 'kymo.codeLens.display', 'above'),
    minimumShare: readSetting(scope, 'kymo.codeLens.minimumShare', 1) / 100,
    heat: readSetting(scope, 'kymo.heat.enabled', true),
  };
}

/** Severity of a finding in the Problems view. */
export type WarningLevel = 'error' | 'warning' | 'information' | 'hint' | 'off';

export interface WarningSettings {
  /** Cost of recording a function, in percent of the run time, from which there is a warning. */
  readonly overheadPercent: number;
  readonly overheadLevel: WarningLevel;
  readonly inlinedLevel: WarningLevel;
}

export function warningSettings(scope: vscode.ConfigurationScope): WarningSettings {
  return {
    overheadPercent: readSetting(scope, 'kymo.warnings.overheadPercent', 5),
    overheadLevel: readSetting<WarningLevel>(scope, 'kymo.warnings.overheadSeverity', 'warning'),
    inlinedLevel: readSetting<WarningLevel>(scope, 'kymo.warnings.inlinedAwaySeverity', 'information'),
  };
}

/**
 * The value of a declared setting. An invalid value counts as not set (`SettingsWatch` shows a message).
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

let declared: ReadonlyMap<string, SettingDeclaration> | undefined;

/** All settings that this extension declares. */
export function declarations(): ReadonlyMap<string, SettingDeclaration> {
  declared ??= declaredSettings(manifest().contributes?.configuration);
  return declared;
}

function manifest(): { readonly contributes?: { readonly configuration?: unknown } } {
  return (vscode.extensions.getExtension('kymo.kymo')?.packageJSON ?? {}) as {
    readonly contributes?: { readonly configuration?: unknown };
  };
}

/** Minimum severity (0…1) in the Properties view. */
export function propertyThreshold(scope: vscode.ConfigurationScope | undefined): number {
  return readSetting(scope, 'kymo.properties.threshold', 0) / 100;
}

/** Settings for the analysis of iterations and its annotations in the source. */
export interface DynamicsSettings {
  /** Analyse automatically when the last study has iterations. */
  readonly automatic: boolean;
  /** Share (0…1) of the time of the phase. */
  readonly reportThreshold: number;
  /** Iterations that are analysed together; 0: chosen from the number of iterations. */
  readonly burst: number;
  readonly improvements: boolean;
  /** How changes are found. */
  readonly method: 'likelihood' | 'periscope';
  /** Share (0…1) of series without a change in which one may be told. */
  readonly falseAlarm: number;
  /** File with the user's rules, relative to the folder; empty: none. */
  readonly rules: string;
  /** Show findings in the Problems view, too. */
  readonly problems: boolean;
  /** Share (0…1) of the phase time from which a degradation is a warning. */
  readonly warningShare: number;
}

export function dynamicsSettings(scope: vscode.ConfigurationScope | undefined): DynamicsSettings {
  return {
    automatic: readSetting(scope, 'kymo.dynamics.automatic', true),
    reportThreshold: readSetting(scope, 'kymo.dynamics.reportThreshold', 10) / 100,
    burst: readSetting(scope, 'kymo.dynamics.burst', 0),
    improvements: readSetting(scope, 'kymo.dynamics.improvements', false),
    method: readSetting<DynamicsSettings['method']>(scope, 'kymo.dynamics.method', 'likelihood'),
    falseAlarm: readSetting(scope, 'kymo.dynamics.falseAlarmPercent', 1) / 100,
    rules: readSetting(scope, 'kymo.dynamics.rules', 'kymo.rules.json'),
    problems: readSetting(scope, 'kymo.dynamics.problems', true),
    warningShare: readSetting(scope, 'kymo.dynamics.warningPercent', 10) / 100,
  };
}
