import { plainType } from '../source/declarations/declarators';

/** A function as a compiler or demangler writes it, taken apart. */
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
  const at = text.indexOf(' [with ');
  return at < 0 ? text : text.slice(0, at);
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
  for (let at = 0; at < text.length; at++) {
    const letter = text[at] ?? '';
    if (letter === '<' && (depth > 0 || !/(?:operator\s*<?|operator<=?)$/.test(result.slice(-12)))) {
      if (depth === 0 && text.startsWith('<lambda', at)) {
        const end = lambdaEnd(text, at);
        result += text.slice(at, end);
        at = end - 1;
      } else if (depth++ === 0) begin = at;
    } else if (letter === '>' && depth > 0) {
      if (text[at - 1] !== '-' && --depth === 0)
        removed.push({ at: result.length, text: text.slice(begin, at + 1) });
    } else if (depth === 0) result += letter;
  }
  return { plain: result, removed };
}

function lambdaEnd(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    if (text[at] === '<') depth++;
    else if (text[at] === '>' && --depth === 0) return at + 1;
  }
  return text.length;
}

function readLambda(plain: string, at: number): PrettyName {
  const open = at + '<lambda'.length;
  const close = closing(plain, open);
  const outer = readPrettyName(plain.slice(0, at).replace(/::$/, ''));
  return {
    qualifiedName: `${outer.qualifiedName}::<lambda>`,
    signature: normalSignature(plain.slice(open + 1, close)),
  };
}

function closing(text: string, open: number): number {
  let depth = 0;
  for (let at = open; at < text.length; at++) {
    if (text[at] === '(') depth++;
    else if (text[at] === ')' && --depth === 0) return at;
  }
  return text.length;
}

/** The first list that follows a name; `double (* choose(int))(…)` begins with a parenthesis that does not. */
function parameterList(text: string): { start: number; end: number } | undefined {
  for (let at = 0; at < text.length; at++) {
    if (text[at] !== '(') continue;
    const before = text.slice(0, at);
    if (/operator\s*$/.test(before)) {
      at++;
      continue;
    }
    if (!/(?:[\w~\]>=+\-*/%&|^!<@]|operator\s*\(\))$/.test(before) || /\s[*&]+$/.test(before)) continue;
    return { start: at, end: closing(text, at) };
  }
  return undefined;
}

function lastWord(text: string): string {
  const operator = /((?:[\w@~]+::)*operator\b.*)$/.exec(text);
  const word = operator?.[1] ?? /([\w@~$.]+(?:::[\w@~$.]+)*)\s*$/.exec(text)?.[1] ?? text;
  const name = word.replace(/@anonymous/g, '(anonymous)').trim();
  return name.replace(/operator\s+(?=[^\w\s])/, 'operator').replace(/\s*\[\]$/, '[]');
}

function normalSignature(list: string): string {
  const parameters: string[] = [];
  let depth = 0;
  let begin = 0;
  for (let at = 0; at <= list.length; at++) {
    const letter = list[at];
    if (letter === '(' || letter === '[' || letter === '<') depth++;
    else if (letter === ')' || letter === ']' || letter === '>') depth--;
    else if (at === list.length || (letter === ',' && depth === 0)) {
      parameters.push(plainType(list.slice(begin, at)));
      begin = at + 1;
    }
  }
  const signature = parameters.filter((parameter) => parameter !== '').join(',');
  return signature === 'void' ? '' : signature;
}
