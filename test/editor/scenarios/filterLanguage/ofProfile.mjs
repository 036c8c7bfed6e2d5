// The functions of a profile of Score-P.
import { copyFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { assert, until } from '../../lib/report.mjs';
import { withSession } from '../../lib/session.mjs';
import { withWorkspace } from '../../lib/workspace.mjs';
import { openFile } from '../inSource/inEditor.mjs';
import { problems } from './mending.mjs';

const recorded = path.resolve(import.meta.dirname, '../../../fixtures/cube4/tiny.cubex');

/** What a colleague has who only looks: no trust in the workspace, no study, a profile and a filter. */
export async function ofProfile(report, options) {
  await withWorkspace(async (folder) => {
    copyFileSync(recorded, path.join(folder, 'profile.cubex'));
    const filter =
      'SCOREP_REGION_NAMES_BEGIN\n  EXCLUDE *\\ Heap::*\n  EXCLUDE gone*\nSCOREP_REGION_NAMES_END\n';
    writeFileSync(path.join(folder, 'coarse.filter'), filter);
    await withSession({ ...options, folder, trusted: false }, async (session) => {
      const { workbench } = session;
      const file = path.join(folder, 'coarse.filter');
      await report.check('without known functions nothing is reported about matches of rules', async () => {
        await openFile(session, file);
        await session.page.waitForTimeout(1500);
        assert((await workbench.lenses()).length === 0, 'there are lenses');
        assert((await problems(session, file)).length === 0, JSON.stringify(await problems(session, file)));
      });
      await report.check(
        'an opened profile of Score-P provides its functions, also without trust',
        async () => {
          await workbench.openFile('profile.cubex');
          await openFile(session, file);
          await workbench.lens('of profile.cubex').waitFor();
          await workbench.lens(/^matches [1-9]\d* of \d+ functions$/).waitFor();
          await until('the rule that matches nothing', async () =>
            (await problems(session, file)).some(({ code }) => code === 'matches-nothing'),
          );
          await workbench.screenshot('filter-of-profile');
        },
      );
    });
  });
}
