// A real program: from the choice of its phase to what its iterations show.
import { patience } from '../../lib/patience.mjs';
import { assert, until } from '../../lib/report.mjs';
import { panel } from './panel.mjs';

export async function phase(report, { workbench, inHost }) {
  await report.check('a phase is chosen among the functions that a study knows', async () => {
    await workbench.showView();
    await workbench.treeRow('Round 1').waitFor();
    await workbench.runCommand('Kymo: Choose Phase');
    await workbench.quickPickRow('visits').waitFor();
    await workbench.screenshot('dynamics-phases');
    await workbench.pick('sweep');
    await workbench.message('is the phase of tiny once kymo.json is saved');
    const text = await inHost(() => vscode.window.activeTextEditor.document.getText());
    assert(/"phase": ".*sweep/.test(text), text);
  });
}

export async function measuresIterations(report, { workbench, page, inHost }) {
  await report.check('the next measurement has its iterations, and they are shown', async () => {
    await inHost(() => {
      blocked.milliseconds = 0;
    });
    await workbench.clickInToast('is the phase of tiny', 'Save and Measure Now');
    await workbench.answerDialog('Run');
    await workbench.clickInToast('functions recorded', 'Show Dynamics', 300_000);
    const frame = await panel(page, '.dynamics:visible');
    await frame.getByText('2000 iterations').first().waitFor();
    await workbench.screenshot('dynamics-measured');
    const milliseconds = await inHost(() => blocked.milliseconds);
    report.figure('extension host blocked at most by it (ms, bar 50)', milliseconds.toFixed(1));
  });
}

export async function byItself(report, { workbench, page }) {
  await report.check('the newest measurement is analysed by itself in a window that opens', async () => {
    await workbench.runCommand('View: Close All Editors');
    await workbench.reloadWindow();
    await workbench.showView();
    // The command is there only while something is shown.
    await until('dynamics in the source', async () => {
      const input = await workbench.quickInput('F1');
      await input.fill('>Kymo: Hide Performance Dynamics in Source');
      const found = await workbench
        .quickPickRow('Hide Performance Dynamics in Source')
        .waitFor({ timeout: patience(3000) })
        .then(
          () => true,
          () => false,
        );
      await page.keyboard.press('Escape');
      return found;
    });
    await workbench.screenshot('dynamics-by-itself');
  });
}
