// Performance dynamics in the real editor: from a series file to the row, the line, the lens and the panel. The parts are in `dynamics/`, one file per idea.
import { assert } from '../lib/report.mjs';
import { withSession } from '../lib/session.mjs';
import { pageFollowsThemes } from '../lib/themes.mjs';
import { withRefinedWorkspace, withWorkspace } from '../lib/workspace.mjs';
import { brushed } from './dynamics/brush.mjs';
import { compared } from './dynamics/comparing.mjs';
import { elsewhere } from './dynamics/elsewhere.mjs';
import { endOfLine, endOfMeasuredLine } from './dynamics/endOfLine.mjs';
import { inPanel, reload } from './dynamics/inPanel.mjs';
import { lensesFollow, removed, stale, toSource } from './dynamics/inSource.mjs';
import { large } from './dynamics/large.mjs';
import { byItself, measuresIterations, phase } from './dynamics/measured.mjs';
import { damaged, nothingYet, opens } from './dynamics/opening.mjs';
import { panel } from './dynamics/panel.mjs';
import { exports, rankSets } from './dynamics/rows.mjs';
import { rulesWritten } from './dynamics/rules.mjs';
import { writeOtherRuns, writeRun } from './dynamics/series.mjs';

export async function run(report, options) {
  await withWorkspace((folder) => ofFiles(report, options, folder));
  await withRefinedWorkspace(options, (folder) => ofProgram(report, options, folder));
}

/** Runs that lie in the workspace as files. */
async function ofFiles(report, options, folder) {
  const line = writeRun(folder);
  writeOtherRuns(folder);
  // An edit that is taken back must not be saved in between: the source would be newer than the run.
  await withSession({ ...options, folder, settings: { 'files.autoSave': 'off' } }, async (session) => {
    await nothingYet(report, session);
    await opens(report, session);
    await toSource(report, session, line);
    await rankSets(report, session);
    await inPanel(report, session);
    await lensesFollow(report, session, line);
    await endOfLine(report, session);
    await themes(report, session);
    await brushed(report, session);
    await exports(report, session, folder);
    await stale(report, session, line);
    await compared(report, session, folder);
    await damaged(report, session, folder);
    await large(report, session, folder);
    await removed(report, session);
    await elsewhere(report, session, folder, line + 2);
    await rulesWritten(report, session, folder);
    // The last one: the extension host is another one then.
    await reload(report, session);
    await quiet(report, session);
  });
}

/** A real program: its study, its phase, and what its iterations show. */
async function ofProgram(report, options, folder) {
  await withSession({ ...options, folder }, async (session) => {
    await phase(report, session);
    await measuresIterations(report, session);
    writeRun(folder);
    await endOfMeasuredLine(report, session, folder);
    await byItself(report, session);
    await quiet(report, session);
  });
}

async function themes(report, session) {
  await report.check('the panel follows the theme', async () => {
    await session.workbench.tab('Dynamics').click();
    await pageFollowsThemes(session, panel, 'dynamics');
  });
}

async function quiet(report, { foreign, pageErrors }) {
  await report.check('no request left the machine, no error in the page', () => {
    assert(foreign.length === 0, `foreign requests: ${foreign.join(' ')}`);
    assert(pageErrors.length === 0, `page errors: ${pageErrors.join(' ')}`);
  });
}
