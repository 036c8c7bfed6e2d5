// Why a program is slow, and where: from the command over the panel to the line, with another threshold, until it is hidden.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { frameWith } from '../lib/panels.mjs';
import { assert, until } from '../lib/report.mjs';
import { withSession } from '../lib/session.mjs';
import { inThemes, pageFollowsThemes } from '../lib/themes.mjs';
import { viewsOf } from '../lib/views.mjs';
import { writeWaitingStudy } from '../lib/waitingStudy.mjs';
import { withWorkspace } from '../lib/workspace.mjs';

const waiting = 'Communication and waiting in sweep (MPI_Recv) takes';

export async function run(report, options) {
  await withWorkspace(async (folder) => {
    const lines = linesIn(folder);
    await writeWaitingStudy(folder, 'main.cpp', lines);
    await withSession({ ...options, folder }, async (session) => {
      await chosen(report, session);
      await toSource(report, session, lines.sweep);
      await inSource(report, session, lines.sweep);
      await hovers(report, session, lines.sweep);
      await inView(report, session, lines.sweep);
      await anotherThreshold(report, session, lines.sweep);
      await report.check('the panel follows the theme', () =>
        pageFollowsThemes(session, diagnosisPanel, 'diagnosis'),
      );
      // These last: the extension host is another one then.
      await reload(report, session);
      await hidden(report, session);
      await report.check('no request left the machine, no error in the page', () => {
        assert(session.foreign.length === 0, `foreign requests: ${session.foreign.join(' ')}`);
        assert(session.pageErrors.length === 0, `page errors: ${session.pageErrors.join(' ')}`);
      });
    });
  });
}

/** Where the functions of the fixture are, 1-based. */
function linesIn(folder) {
  const lines = readFileSync(path.join(folder, 'main.cpp'), 'utf8').split('\n');
  const starts = { main: 'int main', initial: 'std::vector<double> initial', sweep: 'double sweep' };
  return Object.fromEntries(
    Object.entries(starts).map(([name, start]) => [
      name,
      lines.findIndex((text) => text.startsWith(start)) + 1,
    ]),
  );
}

const diagnosisPanel = (page) =>
  frameWith(page, 'the diagnosis panel', (frame) => frame.locator('.diagnosis .grid-row:visible'));

const rowOf = (frame, name) => frame.locator('.search-list .grid-row:visible', { hasText: name });

const problems = ({ inHost }) =>
  inHost(() =>
    vscode.languages
      .getDiagnostics()
      .filter(([uri]) => uri.path.endsWith('/main.cpp'))
      .flatMap(([, found]) =>
        found.map(({ message, severity, range }) => ({ message, severity, line: range.start.line + 1 })),
      ),
  );

async function chosen(report, { workbench, page, inHost }) {
  await report.check('the command offers what was measured, and searches in it', async () => {
    await inHost(() => {
      blocked.milliseconds = 0;
    });
    await workbench.runCommand('Kymo: Diagnose…');
    await workbench.quickPickRow('Saved Search…').waitFor();
    await workbench.quickPickRow('tiny').waitFor();
    await workbench.screenshot('diagnosis-input');
    await workbench.pick('tiny');
    const frame = await diagnosisPanel(page);
    await frame.locator('.experiment-title:visible').waitFor();
    await workbench.screenshot('diagnosis-dark');
    await workbench.tab('Diagnosis: measured.p4.r1').waitFor();
    const summary = await frame.locator('.summary').innerText();
    assert(/^i0\.r1: \d+ experiments, \d+ true, searched in recorded values\.$/.test(summary), summary);
    const milliseconds = await inHost(() => blocked.milliseconds);
    report.figure('extension host blocked at most by it (ms, bar 50)', milliseconds.toFixed(1));
  });
}

async function toSource(report, { workbench, page, inHost }, line) {
  await report.check('a function where a hypothesis is true leads to its line', async () => {
    const frame = await diagnosisPanel(page);
    await frame.getByRole('textbox', { name: 'Search experiments' }).fill('sweep');
    await rowOf(frame, 'Waiting for others').first().click();
    // The arrow keys open, as in every tree.
    const selected = frame.locator('.search-list .grid-row.selected:visible');
    await until('sweep below Waiting for others', async () => {
      if ((await selected.innerText()).includes('sweep')) return true;
      await page.keyboard.press('ArrowRight');
      return false;
    });
    const sentence = await frame.locator('.experiment-sentence').innerText();
    const wanted = 'Waiting for others in sweep is true: communication and waiting takes 35.0 % of the time';
    assert(sentence.startsWith(wanted), sentence);
    await workbench.screenshot('diagnosis-function');
    await page.keyboard.press('Enter');
    const at = await until('the line of sweep', () =>
      inHost(() => {
        const { document, selection } = vscode.window.activeTextEditor ?? {};
        return document?.uri.path.endsWith('/main.cpp') === true && selection.active.line + 1;
      }),
    );
    assert(at === line, `line ${at}`);
    await workbench.screenshot('diagnosis-beside');
  });
}

async function inSource(report, session, line) {
  const { workbench } = session;
  await report.check('what was found is above the function and among the problems', async () => {
    await workbench.lens('◎ waiting for others · 35 %').waitFor();
    const [problem, ...others] = await until('the problem', async () => {
      const found = await problems(session);
      return found.length > 0 && found;
    });
    assert(others.length === 0, JSON.stringify(others));
    assert(problem.line === line && problem.severity === 1, JSON.stringify(problem));
    assert(problem.message.startsWith(`${waiting} 35.0 % of the time`), problem.message);
  });
  await inThemes(session, 'diagnosis-in-source');
}

async function hovers(report, { inHost, workbench, page }, line) {
  await report.check('the hover has the numbers, and leads back to the panel', async () => {
    const text = await inHost(async (at) => {
      const { uri } = vscode.window.activeTextEditor.document;
      const found = await vscode.commands.executeCommand(
        'vscode.executeHoverProvider',
        uri,
        new vscode.Position(at - 1, 8),
      );
      return found.flatMap(({ contents }) => contents.map(({ value }) => value)).join('\n');
    }, line);
    const plain = text.replaceAll('\\', '');
    assert(plain.includes(`${waiting} 35.0 % of the time`), text);
    assert(text.includes('[Show in Diagnosis Panel](command:kymo.diagnose?'), text);
    await inHost((at) => {
      const editor = vscode.window.activeTextEditor;
      editor.selection = new vscode.Selection(at - 1, 8, at - 1, 8);
    }, line);
    await workbench.runCommand('Show or Focus Hover');
    await page.locator('.monaco-hover:visible', { hasText: 'Show in Diagnosis Panel' }).first().waitFor();
    await workbench.screenshot('diagnosis-hover');
    await page.keyboard.press('Escape');
  });
}

async function inView(report, { workbench, page }, line) {
  await report.check('the Properties view has it, with its share of the run', async () => {
    await workbench.showView();
    const { open, row } = viewsOf(page);
    await row('Properties', 'Bottlenecks').waitFor();
    // What holds in the whole program is refined to the function.
    await open('Properties', 'Communication and waiting takes', `main.cpp:${line}`);
    const shown = (await row('Properties', `main.cpp:${line}`).innerText()).replaceAll('\n', ' ');
    assert(/sweep.*35(\.0)? %/.test(shown), shown);
    await workbench.screenshot('diagnosis-properties');
  });
}

async function anotherThreshold(report, session, line) {
  const { page, workbench, inHost } = session;
  await report.check(
    'another threshold repeats the search, and the source says what holds then',
    async () => {
      await inHost(() => vscode.commands.executeCommand('workbench.action.closeSidebar'));
      const frame = await diagnosisPanel(page);
      await frame.getByRole('tab', { name: 'Thresholds' }).click();
      await frame.getByRole('textbox', { name: 'Waiting for others: threshold in %' }).fill('40');
      await until('another finding', async () =>
        (await problems(session)).some(({ message }) =>
          message.startsWith(`${waiting} 50.0 % of the time of rank 0`),
        ),
      );
      await workbench.lens('◎ waiting for others · 13 % · rank 0').waitFor();
      await workbench.screenshot('diagnosis-threshold');
      assert((await problems(session)).every((one) => one.line === line));
    },
  );
  await report.check('a click on the lens shows the panel with its threshold', async () => {
    await workbench.lens('◎').click();
    const frame = await diagnosisPanel(page);
    const field = frame.getByRole('textbox', { name: 'Waiting for others: threshold in %' });
    await until('the threshold', async () => (await field.inputValue()) === '40');
    await workbench.tab('Diagnosis: measured.p4.r1').waitFor();
  });
}

async function reload(report, session) {
  const { page, workbench } = session;
  await report.check('after a reload of the window, panel and source have the same threshold', async () => {
    await workbench.reloadWindow();
    const frame = await diagnosisPanel(page);
    const field = frame.getByRole('textbox', { name: 'Waiting for others: threshold in %' });
    await until('the threshold', async () => (await field.inputValue()) === '40');
    await workbench.lens('◎ waiting for others · 13 % · rank 0').waitFor();
    await workbench.screenshot('diagnosis-reloaded');
  });
}

async function hidden(report, session) {
  const { workbench, page } = session;
  await report.check('Hide Diagnosis in Source leaves the panel alone', async () => {
    await workbench.runCommand('Kymo: Hide Diagnosis in Source');
    await workbench.lens('◎').waitFor({ state: 'detached' });
    await workbench.lens('70 % · 4 visits').waitFor();
    await page.getByRole('button', { name: 'No Problems' }).waitFor();
    await diagnosisPanel(page);
    await workbench.screenshot('diagnosis-hidden');
  });
}
