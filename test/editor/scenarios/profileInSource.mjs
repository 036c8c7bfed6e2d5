// A profile from another machine, shown in the source until the last study is wanted again.
import path from 'node:path';
import { assert, until } from '../lib/report.mjs';
import { writeMovedProfile } from '../lib/largeProfile.mjs';
import { withSession } from '../lib/session.mjs';
import { withRefinedWorkspace } from '../lib/workspace.mjs';

export async function run(report, options) {
  await withRefinedWorkspace(options, async (folder) => {
    await writeMovedProfile(path.join(folder, 'elsewhere.cubex'));
    await withSession({ ...options, folder }, async (session) => {
      await shown(report, session);
      await toldInViews(report, session);
      await backToTheStudy(report, session);
      await unreadable(report, session, folder);
      await report.check('no request left the machine, no error in the page', () => {
        assert(session.foreign.length === 0, `foreign requests: ${session.foreign.join(' ')}`);
        assert(session.pageErrors.length === 0, `page errors: ${session.pageErrors.join(' ')}`);
      });
    });
  });
}

async function shown(report, { page, workbench }) {
  await report.check(
    'from the menu of a .cubex in the Explorer to the lens of the hottest function',
    async () => {
      await page.keyboard.press('Control+Shift+E');
      await workbench.rowAction('elsewhere.cubex', 'Show Profile in Source');
      await workbench.message('the sources show elsewhere.cubex');
      const message = await workbench.toastMessage('the sources show elsewhere.cubex');
      assert(message.includes('2 of 2 functions in 2 files'), message);
      await workbench.clickInToast('the sources show', 'Go to Hottest Function');
      await workbench.lens('1 visit').waitFor();
    },
  );
  await report.check(
    'a function is where its name is today, in a file that is found by its name',
    async () => {
      await workbench.openFile('main.cpp');
      await workbench.lens('100 % · 1 visit').waitFor();
      const lenses = await workbench.lenses();
      assert(lenses.length === 1, `lenses: ${lenses.join(' | ')}`);
      await workbench.screenshot('profile-in-source');
      const status = await workbench.languageStatus(/data from elsewhere\.cubex/);
      assert(/1 function/.test(status), status);
      await page.keyboard.press('Escape');
    },
  );
}

async function toldInViews(report, { workbench }) {
  await report.check('the Properties view shows what was found in it', async () => {
    await workbench.showView();
    await until('the properties of the profile', async () => {
      const rows = await workbench.treeRows();
      return rows.some((row) => row.includes('many')) && rows.some((row) => row.includes('Hot spots'));
    });
    await workbench.screenshot('profile-in-source-properties');
  });
}

async function backToTheStudy(report, { workbench }) {
  await report.check('the last study is shown again', async () => {
    await workbench.runCommand('Kymo: Show the Last Study Again');
    await until('the lenses of the study', async () => (await workbench.lenses()).length > 1);
    const lenses = await workbench.lenses();
    assert(
      lenses.some((lens) => / in round \d/.test(lens)),
      lenses.join(' | '),
    );
  });
}

async function unreadable(report, { workbench, inHost }, folder) {
  await report.check('a profile that cannot be read is reported, and nothing else changes', async () => {
    await inHost(
      (file) => {
        void vscode.commands.executeCommand('kymo.showProfileInSource', vscode.Uri.file(file));
      },
      path.join(folder, 'gone.cubex'),
    );
    await workbench.message('gone.cubex');
    const lenses = await workbench.lenses();
    assert(lenses.length > 1, `lenses: ${lenses.join(' | ')}`);
  });
}
