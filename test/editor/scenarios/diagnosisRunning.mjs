// The search in a program while it runs: started by the command, shown in the panel and in the source, with another threshold, paused and stopped.
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { frameWith } from '../lib/panels.mjs';
import { patience } from '../lib/patience.mjs';
import { assert, until } from '../lib/report.mjs';
import { withSession } from '../lib/session.mjs';
import { inThemes } from '../lib/themes.mjs';
import { withWorkspace } from '../lib/workspace.mjs';

/** It sleeps most of the time, and runs until there is a file `stop`. */
const source = `#include <stdio.h>
#include <unistd.h>
__attribute__((noinline)) double relax(double x, int n) { for (int i = 0; i < n; i++) { x = x * 0.999 + i; x -= 1 / x; if (x > 9) x = 1; } return x; }
__attribute__((noinline)) double rest(double x) { usleep(20000); return x; }
__attribute__((noinline)) double advance(double x) { return rest(relax(x, 2000000)); }
int main(void) {
  double x = 1;
  while (access("stop", F_OK) != 0) x = advance(x);
  printf("%g\\n", x);
  return 0;
}
`;

export async function run(report, options) {
  await withWorkspace(async (folder) => {
    writeFileSync(path.join(folder, 'slow.c'), source);
    const target = {
      name: 'slow',
      build: { command: '${cc} -O2 -g -o slow slow.c', clean: 'rm -f slow' },
      executable: 'slow',
      run: { timeoutSeconds: 1200 },
    };
    writeFileSync(path.join(folder, 'kymo.json'), JSON.stringify({ version: 1, targets: [target] }));
    await report.session('diagnosis of a running program', () =>
      withSession({ ...options, folder }, async (session) => {
        await started(report, session);
        await followed(report, session, folder);
        await inSource(report, session);
        await offered(report, session);
        await anotherThreshold(report, session);
        await paused(report, session);
        await ended(report, session, folder);
      }),
    );
  });
}

const diagnosisPanel = (page) =>
  frameWith(page, 'the diagnosis panel', (frame) => frame.locator('.diagnosis .search-state:visible'));

/** Where the program sleeps; the panel shows nothing else, and its processes are folded. */
const blocked = (frame, result) =>
  frame
    .locator('.search-list .grid-row:visible', { hasText: 'the whole program' })
    .filter({ hasText: result })
    .first();

async function started(report, session) {
  const { page, workbench, inHost } = session;
  await report.check('the command starts the program, and the panel shows what is true in it', async () => {
    await workbench.openFile('slow.c');
    await workbench.runCommand('Kymo: Diagnose Running Program');
    await workbench.answerDialog('Run');
    const begin = frameWith(page, 'the diagnosis panel', (frame) => frame.locator('.diagnosis:visible'));
    await (await begin).locator('.diagnosis').waitFor({ timeout: patience(240_000) });
    await workbench.screenshot('diagnosis-running-begin');
    const frame = await diagnosisPanel(page);
    await inHost(() => vscode.commands.executeCommand('workbench.action.closePanel'));
    await frame.getByRole('textbox', { name: 'Search experiments' }).fill('Blocked');
    await blocked(frame, 'true').waitFor({ timeout: patience(60_000) });
    await workbench.tab('Diagnosis: slow').waitFor();
    const state = await frame.locator('.search-state').innerText();
    assert(/, [\d.]+ s, cost limit 3 %/.test(state), state);
    await inThemes(session, 'diagnosis-running');
  });
}

async function followed(report, { page }, folder) {
  await report.check('each state that is written is shown', async () => {
    const frame = await diagnosisPanel(page);
    const file = searchOf(folder);
    const state = frame.locator('.search-state');
    const waits = [];
    for (let time = 0; time < 5; time++) {
      const before = statSync(file).mtimeMs;
      const shown = await state.innerText();
      await until('the next state', () => statSync(file).mtimeMs !== before);
      const written = statSync(file).mtimeMs;
      const { end } = JSON.parse(readFileSync(file, 'utf8'));
      await until('it is shown', async () => {
        const text = await state.innerText();
        return text !== shown && secondsIn(text) >= Math.floor(end);
      });
      waits.push(Date.now() - written);
    }
    report.figure(
      'a state of the search is shown after at most (ms, bar 500)',
      Math.max(...waits).toFixed(0),
    );
  });
}

/** `Searching, 12.3 s, cost limit 3 %`, `Complete, 3 min 6 s, cost limit 3 %` */
function secondsIn(text) {
  const [, minutes = 0, seconds] = /(?:(\d+) min )?([\d.]+) s,/.exec(text) ?? [];
  return 60 * Number(minutes) + Number(seconds);
}

async function inSource(report, { workbench, inHost }) {
  await report.check('what is found stands at its line', async () => {
    await workbench.openFile('slow.c');
    await workbench
      .lens('◎ blocked')
      .first()
      .waitFor({ timeout: patience(60_000) });
    await workbench.screenshot('diagnosis-running-source');
    await inHost(() => vscode.commands.executeCommand('workbench.action.closeActiveEditor'));
  });
}

async function offered(report, { page, workbench }) {
  await report.check('Diagnose… offers the run under way, and leads back to its panel', async () => {
    await workbench.runCommand('Kymo: Diagnose…');
    await workbench.quickPickRow('the run under way').waitFor();
    await workbench.screenshot('diagnosis-running-offered');
    await workbench.pick('the run under way');
    await diagnosisPanel(page);
  });
  await report.check('each strategy has its sentence', async () => {
    await workbench.runCommand('Kymo: Diagnose Running Program with Strategy…');
    await workbench.quickPickRow('Truly Distributed').first().waitFor();
    await workbench.screenshot('diagnosis-running-strategies');
    await page.keyboard.press('Escape');
  });
}

async function anotherThreshold(report, { page, workbench }) {
  await report.check('another threshold goes to the search, which goes on', async () => {
    const frame = await diagnosisPanel(page);
    await frame.getByRole('tab', { name: 'Thresholds' }).click();
    await frame.getByRole('textbox', { name: 'Blocked: threshold in %' }).fill('100');
    await blocked(frame, 'false').waitFor({ timeout: patience(60_000) });
    assert((await frame.getByRole('textbox', { name: 'Blocked: threshold in %' }).inputValue()) === '100');
    await workbench.screenshot('diagnosis-running-threshold');
  });
}

async function paused(report, { page, workbench }) {
  await report.check('the search is paused, goes on, and is stopped', async () => {
    const frame = await diagnosisPanel(page);
    const state = (text) =>
      frame.locator('.search-state', { hasText: text }).waitFor({ timeout: patience(30_000) });
    await frame.getByRole('button', { name: 'Pause' }).click();
    await state('Paused');
    await workbench.screenshot('diagnosis-running-paused');
    await frame.getByRole('button', { name: 'Go On' }).click();
    await frame.getByRole('button', { name: 'Pause' }).waitFor();
    await frame.getByRole('button', { name: 'Stop Search' }).click();
    await state('Stopped');
  });
}

async function ended(report, { page, workbench, pageErrors }, folder) {
  await report.check(
    'when the program has ended, the panel says so and stays with what was found',
    async () => {
      const frame = await diagnosisPanel(page);
      writeFileSync(path.join(folder, 'stop'), '');
      await frame
        .locator('.summary', { hasText: 'its conclusions until then are shown' })
        .waitFor({ timeout: patience(60_000) });
      await frame.locator('.search-state').waitFor({ state: 'hidden' });
      await blocked(frame, 'false').waitFor();
      await frame.getByText('They can be changed while the program runs.').waitFor();
      await workbench.screenshot('diagnosis-running-ended');
      assert(pageErrors.length === 0, `page errors: ${pageErrors.join(' ')}`);
    },
  );
}

/** The search in the run that is under way. */
function searchOf(folder) {
  const target = path.join(folder, '.kymo', 'slow');
  const [found] = existsSync(target)
    ? readdirSync(target, { recursive: true }).filter((name) => path.basename(name) === 'search.json')
    : [];
  assert(found !== undefined, 'no search.json');
  return path.join(target, found);
}
