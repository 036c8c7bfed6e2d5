// A study over a parameter as a person runs it: values, consent, progress, a stop, the rest, a point that fails, its retry, models.
import { spawn, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { frameWith } from '../lib/panels.mjs';
import { assert, until } from '../lib/report.mjs';
import { withSession } from '../lib/session.mjs';
import { inThemes } from '../lib/themes.mjs';
import { viewsOf } from '../lib/views.mjs';
import { processesIn, withWorkspace } from '../lib/workspace.mjs';

/** Counts n steps. Waits for n = 16 while there is a file “hold”, and fails for n = 8 unless there is a file “cured”. */
const program = `#include <stdlib.h>
#include <unistd.h>
static volatile double sum;
void __attribute__((noinline)) step(int i) {
  for (int j = 0; j < 2000; ++j) sum += 1.0 / (i + j + 1);
}
int main(int count, char **words) {
  int n = count > 1 ? atoi(words[1]) : 1;
  for (int waits = 0; n == 16 && !access("hold", F_OK) && waits < 6000; ++waits) usleep(20000);
  if (n == 8 && access("cured", F_OK)) return 3;
  for (int i = 0; i < n; ++i) step(i);
  return 0;
}
`;
const configuration = {
  version: 1,
  targets: [
    {
      name: 'steps',
      build: { command: '${cc} -O2 -g steps.c -o steps', clean: 'rm -f steps' },
      executable: 'steps',
      run: { arguments: ['${n}'] },
      parameters: { n: [16] },
      repetitions: 2,
    },
  ],
};
const title = 'Kymo: studying steps';

export async function run(report, options) {
  await withWorkspace(async (folder) => {
    writeFileSync(path.join(folder, 'steps.c'), program);
    writeFileSync(path.join(folder, 'kymo.json'), `${JSON.stringify(configuration, undefined, 2)}\n`);
    writeFileSync(path.join(folder, 'hold'), '');
    await withSession({ ...options, folder }, async (session) => {
      const views = viewsOf(session.page);
      await started(report, session, folder);
      await stopped(report, session, views, folder);
      await continued(report, session, views, folder);
      await inThemes(session, 'studies');
      await retried(report, session, views, folder);
      await onePoint(report, session, views, folder);
      await elsewhere(report, session, views, folder, options);
      await nextPoint(report, session, views, folder, options);
      await report.check('no error in the page', () => {
        assert(session.pageErrors.length === 0, `page errors: ${session.pageErrors.join(' ')}`);
      });
    });
  });
}

async function started(report, { workbench, page }, folder) {
  await report.check('the command asks for values, and proposes some', async () => {
    await workbench.showView();
    await workbench.runCommand('Kymo: Run Parameter Study');
    const input = page.locator('.quick-input-widget input[type="text"]').first();
    await until('values of n', async () => (await input.inputValue().catch(() => '')) === '1, 2, 4, 8, 16');
    await workbench.screenshot('studies-values');
    await page.keyboard.press('Enter');
    await page.locator('.quick-input-widget', { hasText: 'OMP_NUM_THREADS' }).waitFor();
    await page.keyboard.press('Enter');
  });
  await report.check('points, runs and commands are shown before anything starts', async () => {
    await workbench.dialog().waitFor();
    const text = await workbench.dialog().innerText();
    for (const part of [
      'n = 1, 2, 4, 8, 16',
      '5 points, 2 repetitions: 10 runs to do',
      '${cc} -O2',
      'estimated',
    ])
      assert(text.includes(part), `${part} is not in: ${text}`);
    await workbench.screenshot('studies-consent');
    await workbench.answerDialog('Run and Keep in kymo.json');
    await until('the values in kymo.json', () => {
      const [target] = JSON.parse(readFileSync(path.join(folder, 'kymo.json'), 'utf8')).targets;
      return target.study?.parameters.n.join() === '1,2,4,8,16';
    });
  });
}

async function stopped(report, { workbench, page }, views, folder) {
  await report.check('its points are shown while it runs, in the view and in the status bar', async () => {
    await workbench.message(title);
    await until(
      'the run of n = 16',
      () => processesIn(folder).some((command) => /steps 16$/.test(command)),
      120_000,
    );
    await until('n = 16 to run', async () => /n = 16.*running/.test(await rowsOf(views)));
    await page.locator('.statusbar', { hasText: 'steps: n = 16, repetition 1 of 2' }).waitFor();
    await views.row('Experiments', '0 of 5 points').waitFor();
    await workbench.screenshot('studies-running');
  });
  await report.check('a stop ends the program, and keeps what was measured', async () => {
    await workbench.rowAction('0 of 5 points', 'Stop Study');
    await until('the program to end', () => processesIn(folder).length === 0, 60_000, 10);
    await views.row('Experiments', 'interrupted').waitFor();
    await until('measured runs', async () => /1 of 2 runs/.test(await rowsOf(views)));
    await workbench.screenshot('studies-stopped');
    assert(runsIn(folder).length > 0, 'nothing is on disk');
  });
}

async function continued(report, { workbench }, views, folder) {
  await report.check('it continues as it was planned, and a point that fails has its reason', async () => {
    rmSync(path.join(folder, 'hold'));
    await workbench.rowAction('interrupted', 'Continue Study');
    await workbench.dialog().waitFor();
    const text = await workbench.dialog().innerText();
    assert(
      /[1-8] runs? to do, \d measured already|\d runs to do/.test(text) &&
        /About .* by earlier runs/.test(text),
      text,
    );
    assert(!text.includes('${cc}'), `commands that were agreed to are shown again: ${text}`);
    await workbench.screenshot('studies-continue');
    await workbench.answerDialog('Run');
    await views.row('Experiments', '4 of 5 points · 1 failed').waitFor();
    const failed = views.row('Experiments', 'n = 8');
    await until('the reason', async () =>
      /failed .*status 3/.test((await failed.getAttribute('aria-label')) ?? ''),
    );
    assert(studiesIn(folder).length === 1, `there are ${studiesIn(folder).join(' ')}`);
  });
}

async function retried(report, { workbench, page, inHost }, views, folder) {
  await report.check(
    'a point that failed is measured again by one click, and the end offers the models',
    async () => {
      await inHost(() => vscode.commands.executeCommand('notifications.clearAll'));
      writeFileSync(path.join(folder, 'cured'), '');
      await workbench.rowAction('n = 8', 'Measure This Point');
      await views.row('Experiments', '5 of 5 points').waitFor();
      await workbench.clickInNotifications('steps: 5 of 5 points measured', 'Show Models');
      const frame = await frameWith(page, 'the models panel', (candidate) =>
        candidate.locator('.models .grid-row:visible'),
      );
      await frame.locator('.models .grid-row:visible', { hasText: 'step' }).first().waitFor();
      // With its plot, it is complete and takes the focus no more.
      await frame.locator('.model-facts', { hasText: 'SMAPE' }).waitFor();
      await workbench.screenshot('studies-models');
      await inHost(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));
    },
  );
  await report.check('a complete study says so, and offers a new one', async () => {
    await workbench.runCommand('Kymo: Run Parameter Study');
    await workbench.dialog().waitFor();
    const text = await workbench.dialog().innerText();
    assert(/is complete/.test(text) && /New Study/.test(text), text);
    await workbench.screenshot('studies-complete');
    await workbench.answerDialog('Cancel');
  });
}

async function onePoint(report, { inHost }, views, folder) {
  await report.check('another view has a new point measured, as often as it says', async () => {
    await inHost(
      (directory) =>
        void vscode.commands.executeCommand('kymo.study.measurePoint', {
          directory,
          coordinates: { n: '32' },
          repetitions: 1,
        }),
      path.join(folder, '.kymo/steps', studiesIn(folder)[0]),
    );
    await views.row('Experiments', '6 of 6 points').waitFor();
    await until('its run', async () => /n = 32[^n]*1 of 1 run/.test(await rowsOf(views)));
  });
}

async function elsewhere(report, { workbench, page }, views, folder, { extension }) {
  await report.check('a study that the command line runs is followed', async () => {
    writeFileSync(path.join(folder, 'hold'), '');
    const [study] = studiesIn(folder);
    const words = ['study', '--workspace', folder, '--study', study, '--point', 'n=16', '--repetitions', '1'];
    const child = spawn(process.execPath, [path.join(extension, 'dist/cli.js'), ...words], {
      stdio: 'ignore',
    });
    try {
      await views.row('Experiments', '5 of 6 points · running').waitFor();
      await page.locator('.statusbar', { hasText: 'steps: studied elsewhere' }).waitFor();
      await workbench.openMenu('5 of 6 points');
      await workbench.menuItem('Show Performance Models').waitFor();
      assert((await workbench.menuItem('Stop Study').count()) === 0, 'it cannot be stopped from here');
      await page.keyboard.press('Escape');
      await workbench.screenshot('studies-elsewhere');
    } finally {
      child.kill('SIGINT');
    }
    await views.row('Experiments', '5 of 6 points · interrupted').waitFor();
  });
  await report.check('it is deleted after a confirmation', async () => {
    await workbench.rowAction('5 of 6 points', 'Delete…');
    await workbench.answerDialog('Delete');
    await until('the folder to go', () => studiesIn(folder).length === 0);
  });
}

async function nextPoint(report, { workbench, page, inHost }, views, folder, { extension }) {
  await report.check(
    'the models panel names the next point worth measuring, and one click measures it',
    async () => {
      rmSync(path.join(folder, 'hold'), { force: true });
      const cli = path.join(extension, 'dist/cli.js');
      const words = ['study', '--workspace', folder, '--values', 'n=1,2,4,32', '--repetitions', '1'];
      const { status, stderr } = spawnSync(process.execPath, [cli, ...words], { encoding: 'utf8' });
      assert(status === 0, stderr);
      const directory = path.join(folder, '.kymo/steps', studiesIn(folder)[0]);
      await inHost(
        (file) => void vscode.commands.executeCommand('kymo.showModels', vscode.Uri.file(file)),
        directory,
      );
      const frame = await frameWith(page, 'the next point', (candidate) =>
        candidate.locator('.next-point:visible', { hasText: 'A formula needs 5 values of n' }),
      );
      await workbench.screenshot('studies-next-point');
      await frame.getByRole('button', { name: 'Measure This Point' }).click();
      await views.row('Experiments', '5 of 5 points').waitFor();
      await until('its run', async () => /n = 256[^n]*1 of 1 run/.test(await rowsOf(views)));
      // The panel makes its models again: five values are enough.
      await frame
        .locator('.next-point:visible', { hasText: '4 are measured' })
        .waitFor({ state: 'detached' });
      await frame.locator('.model-facts', { hasText: '5 points' }).waitFor();
    },
  );
}

const studiesIn = (folder) =>
  readdirSync(path.join(folder, '.kymo/steps')).filter((name) => name.startsWith('study-'));

const runsIn = (folder) =>
  studiesIn(folder).flatMap((study) =>
    readdirSync(path.join(folder, '.kymo/steps', study)).filter((name) => name.startsWith('measured.')),
  );

async function rowsOf(views) {
  const rows = await views.pane('Experiments').locator('.monaco-list-row').allInnerTexts();
  return rows.map((row) => row.replaceAll(/\s+/g, ' ')).join('\n');
}
