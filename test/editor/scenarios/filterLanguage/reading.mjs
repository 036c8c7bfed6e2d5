// What a filter shows while it is read: its language, lenses, hovers, folds and outline.
import { assert, until } from '../../lib/report.mjs';
import { openFile } from '../inSource/inEditor.mjs';
import { names } from './program.mjs';

export async function reading(report, here) {
  const { workbench, page, inHost, file } = here;
  await report.check(
    'a filter is known by its ending or its first line, and shows what its rules match',
    async () => {
      for (const base of ['without-ending', 'measured.filt']) {
        await openFile(here, file(base));
        const language = await inHost(() => vscode.window.activeTextEditor.document.languageId);
        assert(language === 'scorep-filter', `${base} is ${language}`);
      }
      await workbench.lens('Instruments 4 of 5 functions').waitFor();
      await workbench.lens('matches 3 of 5 functions').waitFor();
      await workbench.lens('2 patterns decide 2 of 5 functions').waitFor();
      const keyword = page.locator('.view-line span[class^="mtk"]', { hasText: /^MANGLED$/ }).first();
      const pattern = page.locator('.view-line span[class^="mtk"]', { hasText: /^_ZN12/ }).first();
      assert(
        (await keyword.getAttribute('class')) !== (await pattern.getAttribute('class')),
        'one colour for all',
      );
      await workbench.screenshot('filter-dark');
    },
  );
  await report.check('a hover names what a pattern matches, and helps with keywords', async () => {
    const pattern = await hover(here, '*i*', 3);
    assert(pattern.includes('Matches 3 of 5 functions') && pattern.includes('initial'), pattern);
    const keyword = await hover(here, 'MANGLED', 2);
    assert(keyword.includes('mangled'), keyword);
    await page.locator('.view-line', { hasText: '*i*' }).getByText('i', { exact: true }).first().hover();
    await page.locator('.monaco-hover', { hasText: 'Matches 3 of 5' }).first().waitFor();
    await workbench.screenshot('filter-hover');
    await page.mouse.move(640, 4);
  });
  await report.check(
    'a click on a lens lists the functions, and one of them leads to its source',
    async () => {
      await workbench.lens('matches 3 of 5 functions').locator('a').first().click();
      await workbench.quickPickRow('initial').waitFor();
      await workbench.screenshot('filter-matches');
      await workbench.pick('initial');
      await until('the source', () =>
        inHost(
          (wanted) =>
            vscode.window.activeTextEditor?.document.fileName === wanted &&
            vscode.window.activeTextEditor.selection.active.line === 23,
          file('main.cpp'),
        ),
      );
    },
  );
  await report.check('blocks fold, and the outline has every pattern', async () => {
    await openFile(here, file('measured.filt'));
    const { folds, symbols } = await inHost(async (filter) => {
      const uri = vscode.Uri.file(filter);
      const ranges = await vscode.commands.executeCommand('vscode.executeFoldingRangeProvider', uri);
      const all = await vscode.commands.executeCommand('vscode.executeDocumentSymbolProvider', uri);
      return {
        folds: ranges.map(({ start, end }) => `${start}-${end}`),
        symbols: all.flatMap((one) => [one.name, ...one.children.map((child) => child.name)]),
      };
    }, file('measured.filt'));
    assert(folds.includes('1-8') && folds.includes('6-8'), folds.join(' '));
    assert(symbols.includes('Region names') && symbols.includes(names.many), symbols.join(' '));
  });
}

async function hover({ inHost, file }, text, offset) {
  return inHost(
    async (filter, wanted, more) => {
      const uri = vscode.Uri.file(filter);
      const document = await vscode.workspace.openTextDocument(uri);
      const at = document.positionAt(document.getText().indexOf(wanted) + more - 1);
      const hovers = await vscode.commands.executeCommand('vscode.executeHoverProvider', uri, at);
      return hovers.flatMap(({ contents }) => contents.map(({ value }) => value)).join('\n');
    },
    file('measured.filt'),
    text,
    offset,
  );
}
