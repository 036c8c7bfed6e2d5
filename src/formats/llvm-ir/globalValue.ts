import { globalName, plainName } from './symbolNames';

/** A variable or an alias, `@name = …`. */
export interface GlobalValue {
  readonly name: string;
  readonly kind: 'data' | 'alias';
  readonly isLocal: boolean;
  /** The text after the kind: type, initial value, attributes. Without a value for variables of other units. */
  readonly text: string;
}

const globalPattern = new RegExp(
  String.raw`^(${globalName}) = (.*?)\b(global|constant|alias|ifunc) (.*)$`,
  's',
);

/** Undefined for other lines. */
export function readGlobalValue(line: string): GlobalValue | undefined {
  const match = globalPattern.exec(line);
  if (match === null) return undefined;
  const [, name = '', before = '', kind = '', text = ''] = match;
  return {
    name: plainName(name),
    kind: kind === 'alias' || kind === 'ifunc' ? 'alias' : 'data',
    isLocal: /\b(?:internal|private)\b/.test(before),
    text: /\b(?:external|extern_weak)\b/.test(before) ? '' : text,
  };
}
