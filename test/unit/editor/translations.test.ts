import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import * as l10n from '@vscode/l10n';
import ts from 'typescript';
import { afterEach, describe, expect, it } from 'vitest';
import manifest from '../../../package.json';
import german from '../../../l10n/bundle.l10n.de.json';
import english from '../../../l10n/bundle.l10n.json';
import germanManifest from '../../../package.nls.de.json';
import englishManifest from '../../../package.nls.json';
import { pinSentence } from '../../../src/editor/words/functions/functionTexts';

type Texts = Readonly<Record<string, string>>;

const root = path.resolve(import.meta.dirname, '../../..');
const folder = path.join(root, 'src/editor');
const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => readFileSync(path.join(folder, file), 'utf8'))
  .filter((source) => source.includes('l10n'));

/** Texts that are the same in German: names, and words that both languages share. */
const sameInGerman = new Set([
  '1 Thread',
  'Commit {0}',
  'Kymo: gfortran',
  'Overhead {0}',
  '{0} Overhead',
  '{0} Threads',
]);

/** `{0}` and `$(icon)`, sorted: what a translation must not lose. */
function placeholders(text: string): readonly string[] {
  return (text.match(/\{\d+\}|\$\([\w-]+\)|\(command:[\w.]+\)|`[^`]+`/g) ?? []).sort();
}

function untranslated(from: Texts, to: Texts): readonly string[] {
  return Object.entries(from)
    .filter(([key, text]) => {
      const words = text.replace(/\{\d+\}|\$\([\w-]+\)/g, '');
      return to[key] === text && /\p{L}{2}/u.test(words) && !sameInGerman.has(text);
    })
    .map(([, text]) => text);
}

function lost(from: Texts, to: Texts): readonly string[] {
  return Object.entries(from)
    .filter(([key, text]) => String(placeholders(text)) !== String(placeholders(to[key] ?? '')))
    .map(([key]) => key);
}

/** Texts of a value that VS Code replaces: `%key%`. */
function keysOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return /^%(.+)%$/.exec(value)?.slice(1) ?? [];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(keysOf) : [];
}

/** The messages that the source translates, read from its syntax: `l10n.t('…')` and `` l10n.t`…` ``. */
function messagesOf(source: string): readonly string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isTaggedTemplateExpression(node) && /\bl10n\.t$/.test(node.tag.getText()))
      found.push(templateText(node.template));
    if (ts.isCallExpression(node) && /\bl10n\.t$/.test(node.expression.getText())) {
      const [message] = node.arguments;
      found.push(
        message !== undefined && ts.isStringLiteralLike(message)
          ? message.text
          : `not a text: ${node.getText()}`,
      );
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('source.ts', source, ts.ScriptTarget.Latest, true));
  return found;
}

function templateText(template: ts.TemplateLiteral): string {
  if (ts.isNoSubstitutionTemplateLiteral(template)) return template.text;
  return (
    template.head.text +
    template.templateSpans.map(({ literal }, index) => `{${index}}${literal.text}`).join('')
  );
}

describe('the texts of package.json', () => {
  it('are in English and in German, and no other texts are', () => {
    const used = [...keysOf(manifest)].sort();
    expect(used.length).toBeGreaterThan(150);
    expect(Object.keys(englishManifest).sort()).toEqual(used);
    expect(Object.keys(germanManifest).sort()).toEqual(used);
  });
  it('of commands, settings and views are all translatable', () => {
    const { commands, views, configuration, colors, viewsWelcome } = manifest.contributes;
    const shown = [
      ...commands.map(({ title }) => title),
      ...Object.values(views).flatMap((list) => list.map(({ name }) => name)),
      ...viewsWelcome.map(({ contents }) => contents),
      ...colors.map(({ description }) => description),
      ...Object.values(configuration.properties).map((setting) =>
        'markdownDescription' in setting ? setting.markdownDescription : setting.description,
      ),
    ];
    expect(shown.filter((text) => !/^%[^%]+%$/.test(text))).toEqual([]);
  });
  it('have the same links, code and placeholders in German, and are translated', () => {
    expect(lost(englishManifest, germanManifest)).toEqual([]);
    expect(untranslated(englishManifest, germanManifest)).toEqual([]);
  });
});

describe('the texts of the extension', () => {
  it('are in l10n/bundle.l10n.json, all of them and no others: npm run l10n writes it', () => {
    const messages = [...new Set(sources.flatMap(messagesOf))].sort();
    expect(messages.length).toBeGreaterThan(500);
    expect(Object.keys(english).sort()).toEqual(messages);
    expect(Object.entries(english).filter(([key, text]) => key !== text)).toEqual([]);
  });
  it('are in German with the same placeholders and icons', () => {
    expect(Object.keys(german).sort()).toEqual(Object.keys(english).sort());
    expect(lost(english, german)).toEqual([]);
    expect(untranslated(english, german)).toEqual([]);
  });
  it('name commands as German menus do', () => {
    const titles = new Map(
      Object.entries(englishManifest as Texts).map(([key, text]) => [
        text,
        (germanManifest as Texts)[key] ?? '',
      ]),
    );
    const plain = (text: string): string => text.replace(/^(Kymo: |\$\([\w-]+\) )/, '').replace(/…$/, '');
    const germanTitles = new Map([...titles].map(([text, translated]) => [plain(text), plain(translated)]));
    const others = Object.entries(german).filter(([text, translated]) => {
      const title = germanTitles.get(plain(text));
      return title !== undefined && title !== plain(translated);
    });
    expect(others).toEqual([]);
  });
});

describe('a German window', () => {
  afterEach(() => {
    l10n.config({ contents: {} });
  });

  it('shows German sentences with the values in them, and English ones for what has no translation', () => {
    l10n.config({ contents: german });
    const row = { selected: false, hasSite: true } as Parameters<typeof pinSentence>[0];
    expect(pinSentence(row, 'in')).toBe(
      'Zum Einschließen festgelegt: Sie wird von der nächsten Runde an aufgezeichnet.',
    );
    const target = 'heat {0} $(icon)';
    expect(l10n.t`Refinement of ${target}`).toBe('Verfeinerung von heat {0} $(icon)');
    expect(l10n.t('{0} of {1} functions', 3, 24)).toBe('3 von 24 Funktionen');
    expect(l10n.t('A text without translation: {0}', 7)).toBe('A text without translation: 7');
  });
});
