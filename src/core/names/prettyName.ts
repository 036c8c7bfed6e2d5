import { plainType } from '../source/declarations/declarators';

/** The parts of a function's name as a compiler or demangler writes it. */
export interface PrettyName {
  /** Without return type and template arguments: `n1::Shape::area`, `main()::<lambda>` becomes `main::<lambda>`. */
  readonly qualifiedName: string;
  /** Comparable with `UnitFunction.signature`; undefined when the text has no parameter list. */
  readonly signature?: string;
}

/** Reads `virtual double n::Circle::scale(double) const`, `T f(T) [with T = int]`, `double (* choose(int))(double, double)`. */
export function readPrettyName(text: string): PrettyName {
  const { plain, removed } = withoutTemplates(
    withoutInstance(text.replace(/\{anonymous\}|\(anonymous namespace\)/g, '@anonymous')),
  );
  const lambda = /<lambda\(/.exec(plain);
  if (lambda !== null) return readLambda(plain, lambda.index);
  const list = parameterList(plain);
  if (list === undefined) return { qualifiedName: lastWord(plain) };
  return {
    qualifiedName: lastWord(plain.slice(0, list.start)),
    signature: normalSignature(withTemplates(plain, removed, list.start + 1, list.end)),
  };
}

/** A piece of the text with the template arguments that `withoutTemplates` removed from it. */
function withTemplates(plain: string, removed: readonly Removed[], start: number, end: number): string {
  let result = '';
  let from = start;
  for (const { at, text } of removed) {
    if (at <= start || at > end) continue;
    result += plain.slice(from, at) + text;
    from = at;
  }
  return result + plain.slice(from, end);
}

function withoutInstance(text: string): string {
  const begin = text.indexOf(' [with ');
  return begin < 0 ? text : text.slice(0, begin);
}

/** Removed template arguments and their place in the remaining text. */
interface Removed {
  readonly at: number;
  readonly text: string;
}

/** Removes balanced `<…>`, keeping operators and lambdas. */
function withoutTemplates(text: string): { readonly plain: string; readonly removed: readonly Removed[] } {
  let result = '';
  let depth = 0;
  let begin = 0;
  const removed: Removed[] = [];
  for (let index = 0; index < text.length; index++) {
    const letter = text.charAt(index);
    if (letter === '<' && (depth > 0 || !/(?:operator\s*<?|operator<=?)$/.test(result.slice(-12)))) {
      if (depth === 0 && text.startsWith('<lambda', index)) {
        const end = lambdaEnd(text, index);
        result += text.slice(index, end);
        index = end - 1;
      } else if (depth++ === 0) begin = index;
    } else if (letter === '>' && depth > 0) {
      if (text[index - 1] !== '-' && --depth === 0)
        removed.push({ at: result.length, text: text.slice(begin, index + 1) });
    } else if (depth === 0) result += letter;
  }
  return { plain: result, removed };
}

function lambdaEnd(text: string, start: number): number {
  let depth = 0;
  for (let index = start; index < text.length; index++) {
    if (text[index] === '<') depth++;
    else if (text[index] === '>' && --depth === 0) return index + 1;
  }
  return text.length;
}

function readLambda(plain: string, begin: number): PrettyName {
  const open = begin + '<lambda'.length;
  const close = closing(plain, open);
  const outer = readPrettyName(plain.slice(0, begin).replace(/::$/, ''));
  return {
    qualifiedName: `${outer.qualifiedName}::<lambda>`,
    signature: normalSignature(plain.slice(open + 1, close)),
  };
}

function closing(text: string, open: number): number {
  let depth = 0;
  for (let index = open; index < text.length; index++) {
    if (text[index] === '(') depth++;
    else if (text[index] === ')' && --depth === 0) return index;
  }
  return text.length;
}

/** A word, a symbol of an operator, `operator()`, `operator,`, or `operator<< ` before its template arguments. */
const endsName = /(?:[\w~\]>=+\-*/%&|^!<@]|operator\s*(?:\(\)|,)|operator[^\w\s]+ )$/;

/** The first list that follows a name; `double (* choose(int))(…)` begins with a parenthesis that does not. */
function parameterList(text: string): { start: number; end: number } | undefined {
  for (let index = 0; index < text.length; index++) {
    if (text[index] !== '(') continue;
    const before = text.slice(0, index);
    if (/operator\s*$/.test(before)) {
      index++;
      continue;
    }
    if (!endsName.test(before) || /\s[*&]+$/.test(before)) continue;
    return { start: index, end: closing(text, index) };
  }
  return undefined;
}

function lastWord(text: string): string {
  const operator = /((?:[\w@~]+::)*operator\b.*)$/.exec(text);
  const word = operator?.[1] ?? /([\w@~$.]+(?:::[\w@~$.]+)*)\s*$/.exec(text)?.[1] ?? text;
  const name = word.replace(/@anonymous/g, '(anonymous)').trim();
  const [, before, type] = /^(.*\boperator )(\w.*[*&])$/.exec(name) ?? [];
  // `operator T const*`, with gcc `operator const T*`.
  if (before !== undefined && type !== undefined) return before + plainType(type);
  return name.replace(/operator\s+(?=[^\w\s])/, 'operator').replace(/\s*\[\]$/, '[]');
}

function normalSignature(list: string): string {
  const parameters: string[] = [];
  let depth = 0;
  let begin = 0;
  for (let index = 0; index <= list.length; index++) {
    const letter = list[index];
    if (letter === '(' || letter === '[' || letter === '<') depth++;
    else if (letter === ')' || letter === ']' || letter === '>') depth--;
    else if (index === list.length || (letter === ',' && depth === 0)) {
      parameters.push(plainType(list.slice(begin, index)));
      begin = index + 1;
    }
  }
  const signature = parameters.filter((parameter) => parameter !== '').join(',');
  return signature === 'void' ? '' : signature;
}
