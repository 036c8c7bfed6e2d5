// What a measurement shows in the source while a person reads and edits it. The parts are in `inSource/`, one file per idea.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { assert, until } from '../lib/report.mjs';
import { withSession } from '../lib/session.mjs';
import { withWorkspace } from '../lib/workspace.mjs';
import { drawn } from './inSource/drawing.mjs';
import { lensesFollow } from './inSource/following.mjs';
import { hostileStudies } from './inSource/hostile.mjs';
import { hoverAndMenu } from './inSource/hoverAndMenu.mjs';
import { longFiles } from './inSource/longFiles.mjs';
import { lensesByLine, setSetting } from './inSource/inEditor.mjs';
import { movedSources } from './inSource/movedSources.mjs';
import { warningsAndFixes } from './inSource/warnings.mjs';

/** Every recorded function is warned of: the fixture's cost less than the default limit. */
const settings = {
  'kymo.warnings.overheadPercent': 0,
  'editor.minimap.enabled': false,
  // In a browser the default saves after a second; here edits are taken back.
  'files.autoSave': 'off',
};

export async function run(report, options) {
  await withWorkspace((folder) => {
    addInlined(folder);
    return withSession({ ...options, settings, folder }, async (session) => {
      const here = {
        ...session,
        folder,
        main: path.join(folder, 'main.cpp'),
        header: path.join(folder, 'fold.h'),
      };
      await refined(report, here);
      await quiet(report, here);
      await lensesFollow(report, here);
      await hoverAndMenu(report, here);
      await warningsAndFixes(report, here);
      await drawn(report, here);
      await longFiles(report, here);
      await movedSources(report, here);
      await hostileStudies(report, here);
      await report.check('no request left the machine, no error in the page', () => {
        assert(session.foreign.length === 0, `foreign requests: ${session.foreign.join(' ')}`);
        assert(session.pageErrors.length === 0, `page errors: ${session.pageErrors.join(' ')}`);
      });
    });
  });
}

async function refined(report, { workbench }) {
  await report.check('a refinement leaves lenses at the functions', async () => {
    await workbench.runCommand('Kymo: Refine Instrumentation');
    await workbench.pick('tiny');
    await workbench.answerDialog('Run');
    await workbench.message('functions instrumented', 300_000);
    await workbench.openFile('main.cpp');
    await workbench.lens('visits · overhead').waitFor();
  });
}

/** The default of the setting, which `quietSettings` changes. */
async function quiet(report, here) {
  await report.check('by default only functions with 1 % of the time or more have a lens', async () => {
    const all = await lensesByLine(here, here.main);
    await setSetting(here, 'kymo.codeLens.minimumShare', 1);
    const shown = await until('fewer lenses', async () => {
      const now = await lensesByLine(here, here.main);
      return now.length < all.length && now;
    });
    assert(shown.length > 0 && shown.every(([, title]) => /^\d+ %/.test(title)), shown.join('\n'));
    await here.workbench.screenshot('in-source-quiet');
    await setSetting(here, 'kymo.codeLens.minimumShare', 0);
    await until('all lenses', async () => (await lensesByLine(here, here.main)).length === all.length);
  });
}

/**
 * A function with a loop that the compiler has to inline, so that nothing of it can be recorded: in a header of 50,000 lines, and its
 * caller is in another file.
 */
function addInlined(folder) {
  const comments = (word) =>
    Array.from({ length: 25_000 }, (_, at) => `// ${word} ${at}: nothing is measured here`).join('\n');
  writeFileSync(
    path.join(folder, 'fold.h'),
    `#include <vector>
${comments('above')}
__attribute__((always_inline)) inline double total(const std::vector<double>& field) {
  double sum = 0;
  for (double one : field) {
    sum += one > 0.5 ? one : -one;
  }
  return sum;
}
${comments('below')}
`,
  );
  const main = path.join(folder, 'main.cpp');
  const text = readFileSync(main, 'utf8')
    .replace('#include "many.h"', '#include "many.h"\n#include "fold.h"')
    .replace('change += many(step);', 'change += many(step) + 1e-30 * total(field);');
  writeFileSync(main, text);
}
