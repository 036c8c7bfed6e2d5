import * as l10n from '@vscode/l10n';

/** The part of a setting's declaration in `package.json` that values are checked against. */
export interface SettingDeclaration {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: { readonly type?: string };
}

/** The declared settings by their full name; `configuration` is `contributes.configuration` of a `package.json`, one group or several. */
export function declaredSettings(configuration: unknown): ReadonlyMap<string, SettingDeclaration> {
  const groups: readonly unknown[] = Array.isArray(configuration) ? configuration : [configuration];
  return new Map(
    groups.flatMap((group) =>
      isRecord(group) && isRecord(group.properties)
        ? Object.entries(group.properties).filter((entry): entry is [string, SettingDeclaration] =>
            isRecord(entry[1]),
          )
        : [],
    ),
  );
}

/** Why a value violates the declaration, as the rest of a sentence (`must be …, found …`); undefined if it is valid. */
export function settingFault(declaration: SettingDeclaration, value: unknown): string | undefined {
  const expected = expectation(declaration);
  return fits(declaration, value) ? undefined : l10n.t`must be ${expected}, found ${shownValue(value)}`;
}

function fits({ type, enum: choices, minimum, maximum, items }: SettingDeclaration, value: unknown): boolean {
  if (choices !== undefined) return choices.includes(value);
  if (type === undefined) return true;
  const types = typeof type === 'string' ? [type] : type;
  if (!types.some((allowed) => isOfType(value, allowed))) return false;
  if (typeof value === 'number') return value >= (minimum ?? -Infinity) && value <= (maximum ?? Infinity);
  const itemType = items?.type;
  return !Array.isArray(value) || itemType === undefined || value.every((item) => isOfType(item, itemType));
}

function isOfType(value: unknown, type: string): boolean {
  switch (type) {
    case 'array':
      return Array.isArray(value);
    case 'integer':
      return Number.isSafeInteger(value);
    case 'number':
      return Number.isFinite(value);
    case 'null':
      return value === null;
    case 'object':
      return isRecord(value);
    default:
      return typeof value === type;
  }
}

const typeNames: Readonly<Record<string, string>> = {
  array: l10n.t('a list'),
  boolean: l10n.t('true or false'),
  integer: l10n.t('a whole number'),
  null: 'null',
  number: l10n.t('a number'),
  object: l10n.t('an object'),
  string: l10n.t('a text'),
};

function expectation({ type, enum: choices, minimum, maximum, items }: SettingDeclaration): string {
  if (choices !== undefined) return choices.map((choice) => JSON.stringify(choice)).join(l10n.t(' or '));
  const types = typeof type === 'string' ? [type] : (type ?? []);
  const names = types.map((allowed) => typeNames[allowed] ?? allowed).join(l10n.t(' or '));
  const limited = withRange(names, minimum, maximum);
  return items?.type === 'string' ? l10n.t`${limited} of texts` : limited;
}

function withRange(what: string, minimum: number | undefined, maximum: number | undefined): string {
  if (minimum !== undefined && maximum !== undefined) return l10n.t`${what} from ${minimum} to ${maximum}`;
  if (minimum !== undefined) return l10n.t`${what} of at least ${minimum}`;
  return maximum === undefined ? what : l10n.t`${what} of at most ${maximum}`;
}

function shownValue(value: unknown): string {
  const text = JSON.stringify(value) as string | undefined;
  if (text === undefined) return String(value);
  return text.length <= 60 ? text : `${text.slice(0, 59)}…`;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
