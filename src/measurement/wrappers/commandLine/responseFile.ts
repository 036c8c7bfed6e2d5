import { readFileSync } from 'node:fs';

/**
 * Replaces `@file` by the file's arguments as gcc and clang do (GCC manual, "Overall Options"): separated by white space, with
 * single and double quotes and backslashes. An `@name` without a readable file is an ordinary argument.
 */
export function expandResponseFiles(argumentList: readonly string[], depth = 0): string[] {
  return argumentList.flatMap((argument) => {
    // A file that includes itself would never end.
    if (!argument.startsWith('@') || depth > 64) return [argument];
    let text: string;
    try {
      text = readFileSync(argument.slice(1), 'utf8');
    } catch {
      return [argument];
    }
    return expandResponseFiles(splitResponseText(text), depth + 1);
  });
}

/** Arguments of a response file's text (libiberty's `buildargv` rules). */
export function splitResponseText(text: string): string[] {
  const words: string[] = [];
  let current: string | undefined;
  let quote = '';
  for (let position = 0; position < text.length; position++) {
    const character = text.charAt(position);
    if (character === '\\') {
      position++;
      current = (current ?? '') + text.charAt(position);
    } else if (quote !== '') {
      if (character === quote) quote = '';
      else current = (current ?? '') + character;
    } else if (character === '"' || character === "'") {
      quote = character;
      current ??= '';
    } else if (/\s/.test(character)) {
      if (current !== undefined) words.push(current);
      current = undefined;
    } else {
      current = (current ?? '') + character;
    }
  }
  if (current !== undefined) words.push(current);
  return words;
}

/** Text of a response file with exactly these arguments. */
export function responseText(argumentList: readonly string[]): string {
  return argumentList.map((argument) => `"${argument.replace(/[\\"]/g, '\\$&')}"\n`).join('');
}
