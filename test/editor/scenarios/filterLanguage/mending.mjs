// What is wrong in a filter, and the fixes for it.
import { assert, until } from '../../lib/report.mjs';
import { cursorAt, openFile } from '../inSource/inEditor.mjs';
import { names } from './program.mjs';

/** Codes of the problems of a filter, once the engine has checked it. */
export function problems({ inHost }, filter) {
  return inHost(
    (wanted) =>
      vscode.languages
        .getDiagnostics(vscode.Uri.file(wanted))
        .filter(({ source }) => source === 'Score-P filter')
        .map(({ code, message, range }) => ({ code, message, line: range.start.line })),
    filter,
  );
}

/** Applies the first fix of the first problem of a kind; returns its title. */
function fix({ inHost }, filter, code) {
  return inHost(
    async (wanted, kind) => {
      const uri = vscode.Uri.file(wanted);
      const found = vscode.languages.getDiagnostics(uri).find((one) => one.code === kind);
      const [action] = await vscode.commands.executeCommand(
        'vscode.executeCodeActionProvider',
        uri,
        found.range,
        vscode.CodeActionKind.QuickFix.value,
      );
      if (action === undefined) return 'none';
      await vscode.workspace.applyEdit(action.edit);
      return action.title;
    },
    filter,
    code,
  );
}

export async function mending(report, here) {
  const { workbench, page, file, inHost } = here;
  const filter = file('mistakes.filter');
  const codes = [
    'relative-file',
    'mangled-without-keyword',
    'matches-nothing',
    'inlined',
    'no-effect',
    'keyword-like',
    'not-closed',
  ];
  await report.check('each mistake in a filter is reported at its place', async () => {
    await openFile(here, filter);
    const found = await until('the problems', async () => {
      const all = await problems(here, filter);
      return codes.every((code) => all.some((one) => one.code === code)) && all;
    }).catch(async (error) => {
      throw new Error(`${error.message}: ${JSON.stringify(await problems(here, filter))}`);
    });
    for (const { code, message } of found) report.figure(code, message);
    await page.locator('.squiggly-warning').first().waitFor();
    await workbench.screenshot('filter-problems');
  });
  await report.check('the light bulb has the fix', async () => {
    await cursorAt(here, names.sweep);
    await page.keyboard.press('Control+.');
    await page.locator('.action-widget .monaco-list-row', { hasText: 'MANGLED' }).first().waitFor();
    await workbench.screenshot('filter-fixes');
    await page.keyboard.press('Escape');
  });
  await report.check('every mistake has a fix, and after them none is left', async () => {
    // A fix may reveal the next mistake.
    for (let round = 0; round < 15; round++) {
      const before = await problems(here, filter);
      const [next] = before;
      if (next === undefined) break;
      report.figure(`fix of ${next.code}`, await fix(here, filter, next.code));
      await until(
        `“${next.message}” to go`,
        async () => JSON.stringify(await problems(here, filter)) !== JSON.stringify(before),
      );
    }
    const left = await problems(here, filter);
    assert(left.length === 0, JSON.stringify(left));
    await workbench.screenshot('filter-mended');
    await inHost(() => vscode.commands.executeCommand('workbench.action.files.revert'));
  });
}
