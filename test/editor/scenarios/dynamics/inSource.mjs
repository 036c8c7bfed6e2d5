// What is found stands in the source: line, lens, problem; all of it follows edits, and says when the source is newer.
import { assert, until } from '../../lib/report.mjs';
import { viewsOf } from '../../lib/views.mjs';

export async function toSource(report, { workbench, page, inHost }, line) {
  await report.check('a click on a property opens file and line', async () => {
    await viewsOf(page).row('Properties', '[33–128]').click();
    await until('the line', () =>
      inHost((wanted) => {
        const editor = vscode.window.activeTextEditor;
        return editor?.document.uri.path.endsWith('/main.cpp') && editor.selection.active.line === wanted - 1;
      }, line),
    );
  });
  await report.check(
    'the lens stands at the line, with what, when, how severe and on which ranks',
    async () => {
      const lens = workbench.lens('degradation trend');
      await lens.waitFor();
      const text = await lens.innerText();
      assert(/↗ degradation trend \[33–128\] · \d+ % · ranks 4-6/.test(text), text);
      await workbench.screenshot('dynamics-lens');
    },
  );
  await report.check('the degradation is in the Problems view, as a warning', async () => {
    const found = await until('the problem', () =>
      inHost(() => {
        const { uri } = vscode.window.activeTextEditor.document;
        const all = vscode.languages.getDiagnostics(uri).filter(({ code }) => code === 'degradation-trend');
        return all.map(({ message, severity, range }) => ({ message, severity, line: range.start.line }))[0];
      }),
    );
    assert(found.line === line - 1 && found.severity === 1, JSON.stringify(found));
    assert(/sweep/.test(found.message) && /33–128/.test(found.message), found.message);
  });
  await report.check('its quick fixes lead to the panel, and none is there twice', async () => {
    const titles = await until('the fixes', async () => {
      const all = await inHost(async (at) => {
        const { uri } = vscode.window.activeTextEditor.document;
        const range = new vscode.Range(at, 0, at, 200);
        const actions = await vscode.commands.executeCommand('vscode.executeCodeActionProvider', uri, range);
        return actions.map(({ title }) => title);
      }, line - 1);
      return all.includes('Show in Dynamics Panel') && all;
    });
    assert(new Set(titles).size === titles.length, titles.join(', '));
  });
}

export async function lensesFollow(report, { workbench, inHost }, line) {
  await report.check(
    'lens and problem follow an edit, and go and come back with the one switch',
    async () => {
      await workbench.openFile('main.cpp');
      await workbench.lens('degradation trend').waitFor();
      await inHost(async () => {
        const edit = new vscode.WorkspaceEdit();
        const { uri } = vscode.window.activeTextEditor.document;
        edit.insert(uri, new vscode.Position(0, 0), '// one\n// two\n');
        await vscode.workspace.applyEdit(edit);
      });
      const problem = (wanted) =>
        until(`the problem at line ${wanted}`, () =>
          inHost((at) => {
            const { uri } = vscode.window.activeTextEditor.document;
            return vscode.languages
              .getDiagnostics(uri)
              .some(({ code, range }) => code === 'degradation-trend' && range.start.line === at - 1);
          }, wanted),
        );
      await problem(line + 2);
      await inHost(() => vscode.commands.executeCommand('undo'));
      await problem(line);
      await workbench.runCommand('Kymo: Toggle Source Annotations');
      await workbench.lens('degradation trend').waitFor({ state: 'detached' });
      await workbench.runCommand('Kymo: Toggle Source Annotations');
      await workbench.lens('degradation trend').waitFor();
    },
  );
}

export async function stale(report, { workbench, inHost }, line) {
  await report.check('a line whose source is newer than the run says so', async () => {
    await workbench.openFile('main.cpp');
    await until('its editor', () =>
      inHost(() => vscode.window.activeTextEditor?.document.uri.path.endsWith('/main.cpp') === true),
    );
    await inHost(async () => {
      const { document } = vscode.window.activeTextEditor;
      const edit = new vscode.WorkspaceEdit();
      edit.insert(document.uri, new vscode.Position(0, 0), '// one\n// two\n');
      await vscode.workspace.applyEdit(edit);
      await document.save();
    });
    await workbench.lens('changed since the run').waitFor();
    const text = await workbench.lens('degradation trend').innerText();
    assert(text.includes('changed since the run'), text);
    const at = await until('the problem', () =>
      inHost(() => {
        const { uri } = vscode.window.activeTextEditor.document;
        const all = vscode.languages.getDiagnostics(uri);
        return all.find(({ code }) => code === 'degradation-trend')?.range.start.line;
      }),
    );
    assert(at === line + 1, `the problem is at line ${at + 1} and not ${line + 2}`);
    await workbench.screenshot('dynamics-stale');
  });
}

export async function removed(report, { workbench, page }) {
  await report.check('dynamics are taken out of the source, and come back with the command', async () => {
    await workbench.openFile('main.cpp');
    await workbench.lens('degradation trend').waitFor();
    await workbench.runCommand('Kymo: Hide Performance Dynamics in Source');
    await workbench.lens('degradation trend').waitFor({ state: 'detached' });
    await workbench.showView();
    await viewsOf(page).row('Properties', 'Degradation').waitFor({ state: 'detached' });
  });
}
