import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');

/** A command line of Kymo in README.md, in a guide, or in the README of an example. */
export interface DocumentedCommand {
  /** File and line of the repository. */
  readonly where: string;
  /** As it is written, without its comment. */
  readonly line: string;
  /** What follows `kymo`. */
  readonly words: readonly string[];
  /** Of a code block, which people copy; else a mention in a sentence. */
  readonly isBlock: boolean;
}

/** Guides, and all other documents that name commands, relative to the repository. */
export function documents(): readonly string[] {
  const markdown = (folder: string): readonly string[] =>
    readdirSync(path.join(root, folder))
      .filter((name) => name.endsWith('.md'))
      .map((name) => path.posix.join(folder, name));
  const examples = readdirSync(path.join(root, 'examples'), { withFileTypes: true });
  return [
    ...['.', 'docs', 'docs/formats', 'examples'].flatMap(markdown).filter((file) => file !== 'CHANGELOG.md'),
    ...examples.filter((entry) => entry.isDirectory()).flatMap(({ name }) => markdown(`examples/${name}`)),
  ];
}

export function readDocument(file: string): string {
  return readFileSync(path.join(root, file), 'utf8');
}

/** All commands of a document: those of its code blocks, and those in sentences (`kymo …` in code style, also over two lines). */
export function documentedCommands(file: string): readonly DocumentedCommand[] {
  const text = readDocument(file);
  const blocks = text
    .split('\n')
    .flatMap((line, index) =>
      /^( {4,}|\$ )/.test(line)
        ? shellCommands(line.trim().replace(/^\$ /, '')).map((one) => command(file, index + 1, one, true))
        : [],
    );
  const mentions = [...text.matchAll(/`(kymo\s(?!<command>)[^`]+)`/g)].map((match) =>
    command(
      file,
      text.slice(0, match.index).split('\n').length,
      (match[1] ?? '').replace(/\s+/g, ' '),
      false,
    ),
  );
  return [...blocks, ...mentions];
}

function command(file: string, line: number, text: string, isBlock: boolean): DocumentedCommand {
  const [, ...words] = (text.match(/"[^"]*"|'[^']*'|\S+/g) ?? []).map((word) =>
    word.replace(/^(["'])(.*)\1$/, '$2'),
  );
  return { where: `${file}:${line}`, line: text, words, isBlock };
}

/** The commands of a line of shell that start Kymo, without its comment. */
function shellCommands(line: string): readonly string[] {
  return line
    .replace(/(^|\s)#.*$/, '')
    .split(/&&|;|\s&\s|\|/)
    .map((part) => part.trim().replace(/\s+/g, ' '))
    .filter((part) => /^kymo\s/.test(part));
}
