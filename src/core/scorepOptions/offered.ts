import type { OfferedScorep, ScorepOption } from './option';

/** Why a value of an option cannot be used with this Score-P, as a sentence; undefined: it can, as far as that tells. */
export function lacking(option: ScorepOption, value: string, offered: OfferedScorep): string | undefined {
  if (isOffered(option, value, offered)) return undefined;
  const { builtWith } = option;
  const what = builtWith ?? (value === '' ? option.label : value);
  return `Score-P ${offered.version} of this machine was built without ${what}.`;
}

/** Why nothing of an option can be used. */
export function lackingAll(option: ScorepOption, offered: OfferedScorep): string | undefined {
  const { input, place } = option;
  if (place.kind === 'variable') return lacking(option, '', offered);
  const values = input.kind === 'choice' ? input.choices.map(({ value }) => value) : ['value'];
  const reasons = values.filter((value) => value !== '').map((value) => lacking(option, value, offered));
  return reasons.length > 0 && reasons.every((reason) => reason !== undefined) ? reasons[0] : undefined;
}

function isOffered({ place }: ScorepOption, value: string, offered: OfferedScorep): boolean {
  switch (place.kind) {
    case 'filtering':
      return true;
    case 'flag':
      return hasFlag(`${place.prefix ?? ''}${value}`, offered);
    case 'variable':
      return hasVariable(place.name, value, offered);
  }
}

const withParadigm = ['--mpp', '--thread', '--io'];

function hasFlag(flag: string, { flags, paradigms }: OfferedScorep): boolean {
  const [name = '', paradigm] = flag.split('=');
  if (name === '') return true;
  if (!flags.includes(name)) return false;
  const isNamed = paradigm !== undefined && withParadigm.includes(name);
  return !isNamed || paradigms.length === 0 || paradigms.includes(paradigm);
}

function hasVariable(name: string, value: string, { variables }: OfferedScorep): boolean {
  if (Object.keys(variables).length === 0) return true;
  if (!Object.hasOwn(variables, name)) return false;
  const values = variables[name] ?? [];
  return value === '' || values.length === 0 || value.includes(',') || values.includes(value);
}
