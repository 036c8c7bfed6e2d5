// The timeline of a trace as a person uses it: choose a trace, zoom, look at a call, its source, and come back after a reload.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { frameWith } from '../lib/panels.mjs';
import { assert, until } from '../lib/report.mjs';
import { withSession } from '../lib/session.mjs';
import { pageFollowsThemes } from '../lib/themes.mjs';
import { writeTrace } from '../lib/trace.mjs';
import { withWorkspace } from '../lib/workspace.mjs';

export async function run(report, options) {
  await withWorkspace(async (folder) => {
    await writeTrace(path.join(folder, 'scorep-run'), path.join(folder, 'main.cpp'));
    const broken = path.join(folder, 'broken.otf2');
    writeFileSync(broken, 'no trace');
    await withSession({ ...options, folder }, async (session) => {
      await chosen(report, session);
      await asked(report, session);
      await searched(report, session);
      await report.check('the panel follows the theme', () =>
        pageFollowsThemes(session, timelinePanel, 'timeline'),
      );
      await damaged(report, session, broken);
      await toSource(report, session);
      await reloaded(report, session);
      await report.check('no request left the machine, no error in the page', () => {
        assert(session.foreign.length === 0, `foreign requests: ${session.foreign.join(' ')}`);
        assert(session.pageErrors.length === 0, `page errors: ${session.pageErrors.join(' ')}`);
      });
    });
  });
}

function timelinePanel(page) {
  return frameWith(page, 'the timeline', (frame) =>
    frame.locator('.timeline .profile-pane .grid-row:visible'),
  );
}

const rowTexts = async (frame) =>
  (await frame.locator('.profile-pane .grid-row:visible').allInnerTexts()).map((text) =>
    text.replaceAll(/\s+/g, ' '),
  );
/** What the picture shows, in seconds; the panel keeps it for its next life. */
const words = (frame) => frame.locator('.timeline-words').innerText();
const announced = (frame) => frame.locator('[role=status][aria-live]').innerText();

async function chosen(report, { workbench, page, inHost }) {
  await report.check('the command offers the traces in the workspace, and shows the chosen one', async () => {
    await inHost(() => void (blocked.milliseconds = 0));
    await workbench.runCommand('Kymo: Show Timeline of a Trace…');
    await workbench.quickPickRow('File…').waitFor();
    await workbench.screenshot('timeline-input');
    await workbench.pick('scorep-run');
    const frame = await timelinePanel(page);
    const summary = await frame.locator('.summary').innerText();
    assert(/^4 rows over 1 s, 4 functions, 64\d events, 80 messages$/.test(summary), summary);
    const rows = await rowTexts(frame);
    assert(/^sweep 50\.0 % 2 s 2 s 80$/.test(rows[0] ?? ''), rows.join('\n'));
    const milliseconds = await inHost(() => blocked.milliseconds);
    report.figure('extension host blocked at most by it (ms, bar 50)', milliseconds.toFixed(1));
    await workbench.screenshot('timeline-dark');
  });
}

async function asked(report, { workbench, page }) {
  await report.check('a zoom shows calls, their messages, and their profile', async () => {
    const frame = await timelinePanel(page);
    await frame.getByText('80 in sight').waitFor();
    const canvas = frame.getByRole('application', { name: /^Timeline/ });
    await canvas.focus();
    for (let press = 0; press < 6; press++) await page.keyboard.press('+');
    await until('a part in sight', async () =>
      /^In sight: 0\.4\d+ – 0\.5\d+ s|^In sight: 4\d\d.* ms/.test(await words(frame)),
    );
    await frame.getByText(/^\d in sight|^1\d in sight/).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await until('the call stack of rank 2', async () =>
      /rank 2/.test(await frame.locator('.stack-pane h2').innerText()),
    );
    // Until the calls of this part have been read, the keys move the part that is in sight.
    await until(
      'a call',
      async () => {
        await page.keyboard.press('Shift+ArrowRight');
        return /^\S+, [\d.]+ (m?s) – /.test(await announced(frame));
      },
      60_000,
      500,
    );
    await page.keyboard.press('m');
    await until('the profile of the call', async () =>
      /, .*rank 2/.test(await frame.locator('.profile-facts').innerText()),
    );
    await workbench.screenshot('timeline-zoomed');
    await page.keyboard.press('Escape');
  });
}

async function searched(report, { page }) {
  await report.check('a search goes from call to call', async () => {
    const frame = await timelinePanel(page);
    const search = frame.getByRole('textbox', { name: 'Search functions' });
    await search.fill('MPI_Recv');
    await until('one match', async () => (await frame.locator('.search-count').innerText()) === '1 match');
    await search.press('Enter');
    await until('a call', async () => /rank 2.*: MPI_Recv, /.test(await announced(frame)));
    const first = await announced(frame);
    await search.press('Enter');
    await until('the next call', async () => (await announced(frame)) !== first);
    assert(/rank 2.*: MPI_Recv, /.test(await announced(frame)), await announced(frame));
    await search.press('Escape');
  });
}

async function reloaded(report, { workbench, page }) {
  await report.check('after a reload of the window the panel shows the same part', async () => {
    const before = (await words(await timelinePanel(page))).split('.')[0];
    await workbench.reloadWindow();
    const frame = await timelinePanel(page);
    await until('the same part', async () => (await words(frame)).split('.')[0] === before);
    const stack = await frame.locator('.stack-pane h2').innerText();
    assert(/rank 2/.test(stack), stack);
  });
}

async function toSource(report, { workbench, page }) {
  await report.check('a function of the profile opens its source', async () => {
    const frame = await timelinePanel(page);
    await frame.locator('.profile-pane .grid-row', { hasText: 'sweep' }).dblclick();
    await workbench.tab('main.cpp').waitFor();
    await workbench.screenshot('timeline-source');
  });
}

async function damaged(report, { page, inHost, workbench }, file) {
  await report.check('a file that is no trace says so', async () => {
    await inHost((given) => {
      void vscode.commands.executeCommand('kymo.showTimeline', vscode.Uri.file(given));
    }, file);
    const frame = await frameWith(page, 'the error', (candidate) =>
      candidate.locator('.timeline .message-area[role="alert"]:visible'),
    );
    const text = await frame.getByRole('alert').innerText();
    assert(/broken\.otf2/.test(text), text);
    await frame.getByRole('button', { name: 'Try Again' }).waitFor();
    await workbench.screenshot('timeline-damaged');
    await inHost(() => vscode.commands.executeCommand('workbench.action.closeActiveEditor'));
  });
}
