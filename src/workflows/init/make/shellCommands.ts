/** A simple command: the words that the shell would start. */
export type Command = readonly string[];

/** Words that begin or end parts of compound commands; a separate command follows them. */
const keywords = new Set(['if', 'then', 'else', 'elif', 'fi', 'do', 'done', 'while', 'until', '{', '}', '!']);

/** One word or operator: quoted parts, escapes, and anything else that is no blank and no operator. */
const token = /'[^']*'|"(?:\\[\s\S]|[^"\\])*"|\\[\s\S]|[^\s;&|()'"\\]+|[;&|()\n]|[ \t]+/g;

/**
 * The simple commands of a line of `make -n`, which has the text for the shell. Nothing is expanded; the content of `$(…)` counts as commands,
 * too.
 */
export function commandsOf(line: string): readonly Command[] {
  const commands: string[][] = [];
  let words: string[] = [];
  let word: string | undefined;
  const endWord = (): void => {
    if (word !== undefined && (words.length > 0 || !keywords.has(word))) words.push(word);
    word = undefined;
  };
  const endCommand = (): void => {
    endWord();
    if (words.length > 0) commands.push(words);
    words = [];
  };
  for (const [part] of line.matchAll(token)) {
    if (/^[;&|()\n]$/.test(part)) endCommand();
    else if (/^[ \t]/.test(part)) endWord();
    else if (part !== '\\\n') word = (word ?? '') + unquoted(part);
  }
  endCommand();
  return commands;
}

function unquoted(part: string): string {
  if (part.startsWith("'")) return part.slice(1, -1);
  if (part.startsWith('"')) return part.slice(1, -1).replace(/\\([\\"$`\n])/g, '$1');
  return part.startsWith('\\') ? part.slice(1) : part;
}
