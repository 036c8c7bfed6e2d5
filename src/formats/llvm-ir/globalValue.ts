import { globalName, plainName } from './symbolNames';

/** A variable or another name of something, `@name = …`. */
export interface GlobalValue {
  readonly name: string;
  readonly kind: 'data' | 'alias';
  readonly isLocal: boolean;
  /** What follows the kind: type, initial value, attributes. Without a value for what other units define. */
  readonly text: string;
}

const globalPattern = new RegExp(
  String.raw`^(${globalName}) = (.*?)\b(global|constant|alias|ifunc) (.*)$`,
  's',
);

/** Undefined for what is no such line. */
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
