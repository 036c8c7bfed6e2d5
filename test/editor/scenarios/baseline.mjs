// A committed baseline as a person uses it: accept a measurement, compare the next one with it, accept that one; and the report of a measurement.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { product } from '../lib/product.mjs';
import { assert, until } from '../lib/report.mjs';
import { withSession } from '../lib/session.mjs';
import { inThemes } from '../lib/themes.mjs';
import { withWorkspace } from '../lib/workspace.mjs';

const { writeMeasuredStudy } = await product('test/measuredStudy.ts');

export async function run(report, options) {
  await withWorkspace(async (folder) => {
    const file = path.join(folder, 'main.cpp');
    const lineOf = (text) =>
      readFileSync(file, 'utf8')
        .split('\n')
        .findIndex((line) => line.includes(text)) + 1;
    const functions = (sweep) => ({
      main: [lineOf('int main('), 0.5],
      sweep: [lineOf('double sweep('), sweep],
      smooth: [lineOf('double smooth('), 4],
      initial: [lineOf('> initial('), 3],
    });
    const target = { target: 'tiny', file };
    await writeMeasuredStudy(folder, {
      ...target,
      startedAt: '2026-11-28T12:00:00.000Z',
      functions: functions(2),
    });
    await writeMeasuredStudy(folder, {
      ...target,
      startedAt: '2026-11-29T12:00:00.000Z',
      functions: functions(2.6),
    });
    await withSession({ ...options, folder }, async (session) => {
      await first(report, session, folder);
      await compared(report, session, file);
      await accepted(report, session, folder);
      await elsewhere(report, session, folder);
      await damaged(report, session, folder);
      await reported(report, session, folder);
      await report.check('no request left the machine, no error in the page', () => {
        assert(session.foreign.length === 0, `foreign requests: ${session.foreign.join(' ')}`);
        assert(session.pageErrors.length === 0, `page errors: ${session.pageErrors.join(' ')}`);
      });
    });
  });
}

const older = 'Nov 28';
const newer = 'Nov 29';
const baseline = 'kymo-baseline.json';

const clear = ({ inHost }) => inHost(() => vscode.commands.executeCommand('notifications.clearAll'));

/** Takes the name that the dialog suggests. */
async function save({ page }, suggested) {
  const input = page.locator('.quick-input-widget input[type="text"]').first();
  await until('the dialog', async () => (await input.inputValue().catch(() => '')).endsWith(suggested));
  await page.keyboard.press('Enter');
}

/** The newest measurement of `tiny`. */
async function compare({ workbench }) {
  await workbench.runCommand('Kymo: Compare with Baseline');
  await workbench.pick('tiny');
}

async function first(report, session, folder) {
  const { workbench } = session;
  await report.check('without a baseline, the command offers to make one', async () => {
    await compare(session);
    await workbench.message('tiny has no baseline file yet');
    await workbench.screenshot('baseline-none');
    await clear(session);
  });
  await report.check('the menu of a measurement accepts it as the baseline', async () => {
    await workbench.showView();
    await workbench.rowAction(older, 'Accept as New Baseline…');
    await save(session, baseline);
    await workbench.message(`Kymo wrote ${baseline}`);
    const text = readFileSync(path.join(folder, baseline), 'utf8');
    assert(JSON.parse(text).runs.length === 5 && !text.includes(folder), 'another baseline');
    await clear(session);
  });
}

async function compared(report, session, file) {
  const { workbench, inHost } = session;
  await report.check(
    'a slower measurement is a regression, with lens and problem at its function',
    async () => {
      await workbench.openFile('main.cpp');
      await compare(session);
      await workbench.message('Regression: ');
      await workbench.lens('▲ +30 % since baseline').waitFor();
      const problems = await until('the problem', async () => {
        const found = await inHost(
          (name) =>
            vscode.languages
              .getDiagnostics(vscode.Uri.file(name))
              .filter(({ code }) => code === 'regression')
              .map(({ message, severity, range }) => ({ message, severity, line: range.start.line })),
          file,
        );
        return found.length > 0 && found;
      });
      const [{ message, line }] = problems;
      assert(problems.length === 1 && /sweep takes longer itself/.test(message), JSON.stringify(problems));
      assert(readFileSync(file, 'utf8').split('\n')[line].includes('double sweep('), `line ${line + 1}`);
      await inThemes(session, 'baseline-regression');
      await workbench.clickInToast('Regression: ', 'Show Verdict');
      await workbench.seen('Performance of tiny');
      await workbench.screenshot('baseline-verdict');
      await inHost(() => vscode.commands.executeCommand('workbench.action.closeActiveEditor'));
    },
  );
}

async function accepted(report, session, folder) {
  const { workbench, inHost } = session;
  const text = () => readFileSync(path.join(folder, baseline), 'utf8');
  const before = text();
  await report.check(
    'its quick fix shows what changes, and replaces the baseline after Replace only',
    async () => {
      const fix = () =>
        inHost(
          async (name) => {
            const uri = vscode.Uri.file(name);
            const [problem] = vscode.languages
              .getDiagnostics(uri)
              .filter(({ code }) => code === 'regression');
            const actions = await vscode.commands.executeCommand(
              'vscode.executeCodeActionProvider',
              uri,
              problem.range,
            );
            const { command } = actions.find(({ title }) => title === 'Accept as New Baseline');
            void vscode.commands.executeCommand(command.command, ...command.arguments);
          },
          path.join(folder, 'main.cpp'),
        );
      await fix();
      await workbench.dialog().waitFor();
      const detail = await workbench.dialog().innerText();
      assert(/sweep takes longer itself/.test(detail) && /git can restore it/.test(detail), detail);
      await workbench.screenshot('baseline-replace');
      await workbench.answerDialog('Cancel');
      assert(text() === before, 'it was replaced');
      await fix();
      await workbench.dialog().waitFor();
      await workbench.answerDialog('Replace');
      await workbench.message(`Kymo wrote ${baseline}`);
      assert(text() !== before, 'it was not replaced');
      await until('the lens to go', async () =>
        (await workbench.lenses()).every((lens) => !lens.includes('baseline')),
      );
      await clear(session);
    },
  );
  await report.check('a measurement that is the baseline itself is not judged', async () => {
    await compare(session);
    const message = await workbench.toastMessage('does not differ from itself');
    assert(!/No regression/.test(message), message);
    await workbench.screenshot('baseline-itself');
    await clear(session);
  });
}

async function elsewhere(report, session, folder) {
  const { workbench } = session;
  await report.check('a baseline of another machine is compared where the user wants that', async () => {
    const file = path.join(folder, baseline);
    const text = readFileSync(file, 'utf8');
    // Not the same runs: an hour earlier, on another host.
    writeFileSync(
      file,
      text.replaceAll(/"host": "[^"]*"/g, '"host": "login7"').replaceAll(/("startedAt": "[^T]*T)12/g, '$111'),
    );
    await compare(session);
    const refused = await workbench.toastMessage('another host: login7');
    assert(/Cannot tell/.test(refused) && !refused.includes('--allow'), refused);
    await workbench.screenshot('baseline-elsewhere');
    await workbench.clickInToast('another host: login7', 'Compare Anyway');
    const message = await workbench.toastMessage('No regression');
    assert(message.includes('Allowed to differ: machine.'), message);
    await workbench.clickInToast('No regression', 'Show Verdict');
    await workbench.seen('another host: login7');
    writeFileSync(file, text);
    await clear(session);
    await session.inHost(() => vscode.commands.executeCommand('workbench.action.closeActiveEditor'));
  });
}

async function damaged(report, session, folder) {
  const { workbench } = session;
  await report.check(
    'a baseline that is cut or of a later version is an error that says what to do',
    async () => {
      const file = path.join(folder, baseline);
      const text = readFileSync(file, 'utf8');
      writeFileSync(file, text.slice(0, text.length / 2));
      await compare(session);
      await workbench.message('is no baseline of Kymo');
      await clear(session);
      writeFileSync(file, text.replace('"kymoBaseline": 1', '"kymoBaseline": 9'));
      await compare(session);
      await workbench.message('was written by a newer Kymo');
      await clear(session);
      writeFileSync(file, text);
    },
  );
}

async function reported(report, session, folder) {
  const { workbench } = session;
  await report.check('the menu of a measurement saves its report where the user wants it', async () => {
    await workbench.showView();
    await workbench.rowAction(newer, 'Save Report…');
    const name = 'tiny-measure-2026-11-29T12-00-00.html';
    await save(session, name);
    await workbench.message('the report is in');
    await workbench.screenshot('report-saved');
    const file = path.join(folder, name);
    assert(existsSync(file) && readFileSync(file, 'utf8').includes('sweep'), 'no report');
    await clear(session);
  });
}
