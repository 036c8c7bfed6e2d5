// Score-P filters as a language: from the first word to what the compiler makes of it. The parts are in `filterLanguage/`, one file per idea.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { assert } from '../lib/report.mjs';
import { withSession } from '../lib/session.mjs';
import { withWorkspace } from '../lib/workspace.mjs';
import { applying, comparing, decisions } from './filterLanguage/deciding.mjs';
import { large } from './filterLanguage/large.mjs';
import { mending } from './filterLanguage/mending.mjs';
import { ofProfile } from './filterLanguage/ofProfile.mjs';
import { addStudy, mistakes, whitelist } from './filterLanguage/program.mjs';
import { reading } from './filterLanguage/reading.mjs';
import { writing } from './filterLanguage/writing.mjs';
import { openFile, setSetting } from './inSource/inEditor.mjs';

const settings = { 'files.autoSave': 'off', 'editor.hover.delay': 100 };

export async function run(report, options) {
  await withWorkspace(async (folder) => {
    addStudy(folder);
    writeFileSync(path.join(folder, 'measured.filt'), whitelist);
    writeFileSync(path.join(folder, 'mistakes.filter'), mistakes);
    writeFileSync(path.join(folder, 'new.filter'), '');
    writeFileSync(path.join(folder, 'without-ending'), whitelist.split('\n').slice(1).join('\n'));
    await withSession({ ...options, folder, settings }, async (session) => {
      const file = (base) => path.join(folder, base);
      const here = { ...session, folder, file };
      await reading(report, here);
      await mending(report, here);
      await writing(report, here);
      await decisions(report, here);
      await comparing(report, here);
      await applying(report, here);
      await themes(report, here);
      await report.check('no request left the machine, no error in the page', () => {
        assert(session.foreign.length === 0, `foreign requests: ${session.foreign.join(' ')}`);
        assert(session.pageErrors.length === 0, `page errors: ${session.pageErrors.join(' ')}`);
      });
    });
  });
  await ofProfile(report, { ...options, settings });
  await large(report, { ...options, settings });
}

async function themes(report, here) {
  await report.check('the colours are legible in light and in high contrast', async () => {
    await openFile(here, here.file('mistakes.filter'));
    for (const [picture, theme] of [
      ['light', 'Light Modern'],
      ['contrast', 'Default High Contrast'],
      ['contrast-light', 'Default High Contrast Light'],
    ]) {
      await setSetting(here, 'workbench.colorTheme', theme);
      await here.page.waitForTimeout(800);
      await here.workbench.screenshot(`filter-${picture}`);
    }
    await setSetting(here, 'workbench.colorTheme', 'Dark Modern');
  });
}
