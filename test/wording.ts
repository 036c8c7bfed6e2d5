import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

const root = path.resolve(import.meta.dirname, '..');

/** A text that people read, with its place. */
export interface ShownText {
  readonly where: string;
  readonly text: string;
}

const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');

function tracked(...patterns: readonly string[]): readonly string[] {
  return execFileSync('git', ['ls-files', ...patterns], { cwd: root, encoding: 'utf8' })
    .trim()
    .split('\n');
}

/** Texts of the source: string literals and templates (`…` stands for their values) of at least three words. */
export function sourceTexts(): readonly ShownText[] {
  return tracked('src/**/*.ts', 'webview/**/*.ts').flatMap((file) => textsOf(file, read(file)));
}

export function textsOf(file: string, source: string): readonly ShownText[] {
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
  const found: ShownText[] = [];
  const visit = (node: ts.Node): void => {
    const text = textOf(node)?.replace(/\s+/g, ' ');
    if (text !== undefined && text.trim().split(' ').length > 2) {
      const { line } = tree.getLineAndCharacterOfPosition(node.getStart());
      found.push({ where: `${file}:${line + 1}`, text });
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

function textOf(node: ts.Node): string | undefined {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return undefined;
  return node.head.text + node.templateSpans.map(({ literal }) => `…${literal.text}`).join('');
}

/** Titles and descriptions of package.json and of the schemas. */
export function manifestTexts(): readonly ShownText[] {
  const files = ['package.json', 'package.nls.json', ...tracked('media/*.json')];
  return files.flatMap((file) => strings(JSON.parse(read(file)), file));
}

function strings(value: unknown, where: string): readonly ShownText[] {
  if (typeof value === 'string') return [{ where, text: value }];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => strings(inner, `${where}/${key}`));
}

/** Paragraphs of README, guides and the READMEs of the examples. */
export function documentTexts(): readonly ShownText[] {
  return (
    tracked('README.md', 'CONTRIBUTING.md', 'docs/*.md', 'examples/**/*.md')
      // These two are for people who work on Kymo.
      .filter((file) => !/ARCHITECTURE|docs\/formats/.test(file))
      .flatMap((file) =>
        read(file)
          .split('\n')
          .map((text, index) => ({ where: `${file}:${index + 1}`, text })),
      )
  );
}
