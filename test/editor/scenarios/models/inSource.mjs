// How functions grow stands at their lines: formula, prediction, what is worse than expected; and `kymo.json` says what that is.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { frameWith } from '../../lib/panels.mjs';
import { writeParameterStudy } from '../../lib/parameterStudy.mjs';
import { assert, until } from '../../lib/report.mjs';
import { withSession } from '../../lib/session.mjs';
import { inThemes } from '../../lib/themes.mjs';
import { viewsOf } from '../../lib/views.mjs';
import { withWorkspace } from '../../lib/workspace.mjs';

const hostile = '[x](command:kymo.refine) $(bug) <b>';
const source = `void setup(void) {
}

void solve(void) {
  setup();
}

void exchange(void) {
  solve();
}

void strange(void) {
}
`;
const functions = [
  { name: 'setup', line: 1, endLine: 2, seconds: () => 2 },
  { name: 'solve', line: 4, endLine: 6, seconds: (p) => 5 + 0.1 * p * Math.log2(p) },
  { name: 'exchange', line: 8, endLine: 10, seconds: (p) => 0.002 * p ** 2 },
  { name: hostile, line: 12, endLine: 13, seconds: (p) => 0.5 * p },
  { name: 'elsewhere', file: '/etc/passwd', line: 1, endLine: 1, seconds: (p) => 0.5 * p },
];

export async function modelsInSource(report, options) {
  await withWorkspace(async (folder) => {
    writeFileSync(path.join(folder, 'growing.c'), source);
    const configuration = path.join(folder, 'kymo.json');
    const expected = '"expect": { "exchange": "O(p)", "elsewhere": "O(1)" }, "repetitions": 3';
    writeFileSync(configuration, readFileSync(configuration, 'utf8').replace('"repetitions": 3', expected));
    const study = await writeParameterStudy(folder, 'growing.c', functions);
    await withSession({ ...options, folder }, async (session) => {
      await session.workbench.openFile('growing.c');
      await lenses(report, session);
      await oneSentence(report, session, options, study);
      await hovers(report, session);
      await inView(report, session);
      await harmless(report, session);
      await follows(report, session);
      await wrongGrowth(report, session);
      await expectedFromNowOn(report, session);
    });
  });
}

const problems = (inHost, file = 'growing.c') =>
  inHost((name) => {
    const all = vscode.languages.getDiagnostics().filter(([uri]) => uri.path.endsWith(`/${name}`));
    return all.flatMap(([, found]) =>
      found.map(({ message, code, severity, range }) => ({
        ...{ message, code, severity },
        ...{ line: range.start.line + 1, column: range.start.character },
      })),
    );
  }, file);

async function lenses(report, { workbench, page, inHost }) {
  await report.check('a function that grows has its formula above it', async () => {
    await workbench.lens('↗ 5 s + 100 ms · p · log₂ p').waitFor();
    const lens = workbench.lens('scales worse than expected');
    const text = await lens.innerText();
    assert(/^↗ scales worse than expected \(O\(p\)\): 2 ms · p²$/.test(text), text);
    const all = await workbench.lenses();
    assert(!all.some((one) => one.includes('2 s')), `setup does not grow: ${all.join('\n')}`);
  });
  await inThemes({ page, workbench, inHost }, 'models-in-source');
}

async function oneSentence(report, { inHost }, { extension }, study) {
  await report.check('the Problems view has what the command line prints', async () => {
    const [problem] = await until('the problem', async () => {
      const found = await problems(inHost);
      return found.length > 0 && found;
    });
    assert(problem.line === 8 && problem.column === 5 && problem.severity === 1, JSON.stringify(problem));
    const words = [path.join(extension, 'dist/cli.js'), 'properties', study, '--json'];
    const text = execFileSync(process.execPath, words, { encoding: 'utf8', stdio: 'pipe' });
    const { properties } = JSON.parse(text);
    const [worse] = properties.filter(({ id }) => id === 'scales-worse-than-expected:time:exchange');
    assert(problem.message === worse.title, `${problem.message}\n${worse.title}`);
    assert(/exchange grows with p², and O\(p\) is expected/.test(worse.title), worse.title);
  });
}

async function hovers(report, { inHost, workbench, page }) {
  await report.check(
    'the hover has range, fit, verdict and expectation, and leads to the panel',
    async () => {
      const text = await inHost(async () => {
        const { uri } = vscode.window.activeTextEditor.document;
        const place = new vscode.Position(7, 6);
        const found = await vscode.commands.executeCommand('vscode.executeHoverProvider', uri, place);
        return found.flatMap(({ contents }) => contents.map(({ value }) => value)).join('\n');
      });
      const plain = text.replaceAll('\\', '');
      for (const part of [
        'exchange grows with p²',
        '**time = 2 ms · p²**',
        'Predicted for p = 320: 205 s, with a probability of 95 % between',
        'The formula describes all points within their noise.',
        'over 5 points; the repetitions differ by',
        'Expected is O(p) at most; it grows faster with a probability of',
        'in study-2026-11-26T10-00-00.',
        '[Show in Models Panel](command:kymo.showModels?',
      ])
        assert(plain.replace('3 min 25 s', '205 s').includes(part), `${part}\n${plain}`);
      await inHost(() => {
        const editor = vscode.window.activeTextEditor;
        editor.selection = new vscode.Selection(7, 6, 7, 6);
      });
      await workbench.runCommand('Show or Focus Hover');
      await page.locator('.monaco-hover:visible', { hasText: 'Show in Models Panel' }).first().waitFor();
      await workbench.screenshot('models-hover');
      await page.keyboard.press('Escape');
    },
  );
  await report.check('a click on a lens opens the models of the study', async () => {
    await workbench.lens('scales worse than expected').click();
    const frame = await frameWith(page, 'the models panel', (one) =>
      one.locator('.models .grid-row:visible'),
    );
    await frame.locator('.models-list .grid-row', { hasText: 'exchange' }).first().waitFor();
    await inHost(() => vscode.commands.executeCommand('workbench.action.closeActiveEditor'));
    await workbench.lens('scales worse than expected').waitFor();
  });
}

async function inView(report, { workbench, page }) {
  await report.check('the Properties view has them, with the share that is predicted', async () => {
    await workbench.showView();
    const row = viewsOf(page).row('Properties', 'growing.c:4');
    await row.waitFor();
    assert(/solve\s*\d+(\.\d)? % · growing\.c:4/.test((await row.innerText()).replaceAll('\n', ' ')), '');
    await workbench.screenshot('models-properties');
  });
}

async function harmless(report, { workbench, inHost, page }) {
  await report.check('names and places from a study are shown as they are, and nowhere else', async () => {
    const lens = await workbench.lens('500 ms · p').innerText();
    assert(lens === '↗ 500 ms · p', lens);
    const text = await inHost(async () => {
      const { uri } = vscode.window.activeTextEditor.document;
      const place = new vscode.Position(11, 6);
      const found = await vscode.commands.executeCommand('vscode.executeHoverProvider', uri, place);
      return found.flatMap(({ contents }) => contents.map(({ value }) => value)).join('\n');
    });
    assert(
      !text.includes('](command:kymo.refine)') && !text.includes(' $(bug)') && !text.includes('<b>'),
      text,
    );
    await viewsOf(page).row('Properties', '[x](command:kymo.refine)').waitFor();
    // A problem of a file outside of the folder is none.
    assert((await problems(inHost, 'passwd')).length === 0, 'a problem in another folder');
  });
}

async function follows(report, { workbench, inHost }) {
  await report.check('lens and problem follow edits, and say that the function changed', async () => {
    const insert = (line, text) =>
      inHost(
        async ([at, added]) => {
          const edit = new vscode.WorkspaceEdit();
          const { uri } = vscode.window.activeTextEditor.document;
          edit.insert(uri, new vscode.Position(at, 0), added);
          await vscode.workspace.applyEdit(edit);
        },
        [line, text],
      );
    const problemAt = (line, wanted) =>
      until(`the problem at line ${line}`, async () =>
        (await problems(inHost)).some((one) => one.line === line && wanted.test(one.message)),
      );
    await insert(0, '// one\n// two\n');
    await problemAt(10, /certain\)$/);
    await insert(10, '  setup();\n');
    await problemAt(10, /changed since the run/);
    await until('the mark in the lens', async () =>
      (await workbench.lenses()).some((text) => /scales worse .* changed since the run/.test(text)),
    );
    await inHost(() => vscode.commands.executeCommand('undo'));
    await inHost(() => vscode.commands.executeCommand('undo'));
    await problemAt(8, /certain\)$/);
  });
  await report.check('they go and come back with the one switch', async () => {
    await workbench.runCommand('Kymo: Toggle Source Annotations');
    await workbench.lens('scales worse').waitFor({ state: 'detached' });
    await until('no problem', async () => (await problems(inHost)).length === 0);
    await workbench.runCommand('Kymo: Toggle Source Annotations');
    await workbench.lens('scales worse').waitFor();
  });
}

async function wrongGrowth(report, { workbench, inHost }) {
  await report.check('a growth in kymo.json that cannot be read says so at its place', async () => {
    await workbench.openFile('kymo.json');
    await until('its editor', () =>
      inHost(() => vscode.window.activeTextEditor?.document.fileName.endsWith('kymo.json') === true),
    );
    const replace = (from, to) =>
      inHost(
        async ([before, after]) => {
          const { document } = vscode.window.activeTextEditor;
          const at = document.positionAt(document.getText().indexOf(before));
          const edit = new vscode.WorkspaceEdit();
          edit.replace(document.uri, new vscode.Range(at, at.translate(0, before.length)), after);
          await vscode.workspace.applyEdit(edit);
        },
        [from, to],
      );
    await replace('"O(p)"', '"O(q)"');
    const found = await until('the problem', async () =>
      (await problems(inHost, 'kymo.json')).find(({ message }) => message.includes('is no growth')),
    );
    assert(/“O\(q\)” is no growth: .*such as O\(p log p\).*“q”/.test(found.message), found.message);
    await workbench.screenshot('models-wrong-growth');
    await replace('"O(q)"', '"O(p)"');
    await until('no problem', async () => (await problems(inHost, 'kymo.json')).length === 0);
    await inHost(() => vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor'));
  });
}

async function expectedFromNowOn(report, { workbench, inHost }) {
  await report.check('what a function does can be expected from now on', async () => {
    await workbench.openFile('growing.c');
    await until('its editor', () =>
      inHost(() => vscode.window.activeTextEditor?.document.fileName.endsWith('growing.c') === true),
    );
    const titles = await inHost(async () => {
      const { uri } = vscode.window.activeTextEditor.document;
      const [problem] = vscode.languages.getDiagnostics(uri);
      const fixes = await vscode.commands.executeCommand(
        'vscode.executeCodeActionProvider',
        uri,
        problem.range,
      );
      const own = fixes.filter(({ command }) => command?.command.startsWith('kymo.'));
      await vscode.commands.executeCommand(own[0].command.command, ...own[0].command.arguments);
      await vscode.window.activeTextEditor.document.save();
      return own.map(({ title }) => title);
    });
    assert(titles.join() === 'Expect O(p²) of exchange from Now on', titles.join());
    const text = await inHost(() => vscode.window.activeTextEditor.document.getText());
    assert(text.includes('"exchange": "O(p²)"') && text.includes('// Runs until'), text);
    await until('no problem', async () => (await problems(inHost)).length === 0);
    await workbench.openFile('growing.c');
    await workbench.lens('↗ 2 ms · p²').waitFor();
  });
}
