// A filter of many rules on a program of many functions.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { until } from '../../lib/report.mjs';
import { withSession } from '../../lib/session.mjs';
import { writeStudy } from '../../lib/studies.mjs';
import { withWorkspace } from '../../lib/workspace.mjs';
import { cursorAt, openFile } from '../inSource/inEditor.mjs';

const functionCount = 20_000;
const ruleCount = 10_000;

export async function large(report, options) {
  await withWorkspace(async (folder) => {
    const mangled = (n) => `_ZN6solver6Kernel${n}5applyEiPKdRSt6vectorIdSaIdEE`;
    writeStudy(folder, {
      target: 'tiny',
      functions: Array.from({ length: functionCount }, (_, n) => ({
        key: mangled(n),
        mangledName: mangled(n),
        name: `solver::Kernel${n}::apply(int, double const*, std::vector<double>&)`,
        file: path.join(folder, `unit${n % 200}.cpp`),
        line: 10 + n,
      })),
    });
    const rules = Array.from({ length: ruleCount }, (_, n) => `  INCLUDE MANGLED ${mangled(n)}\n`).join('');
    const filter = path.join(folder, 'large.filter');
    writeFileSync(filter, `SCOREP_REGION_NAMES_BEGIN\n  EXCLUDE *\n${rules}SCOREP_REGION_NAMES_END\n`);
    await withSession({ ...options, folder }, async (session) => {
      const { workbench, inHost, page } = session;
      await report.check(`${ruleCount} rules against ${functionCount} functions`, async () => {
        await until('the extension', () =>
          inHost(() => vscode.extensions.getExtension('kymo.kymo').isActive),
        );
        await inHost(() => {
          blocked.milliseconds = 0;
        });
        await openFile(session, filter);
        await workbench.lens('Instruments 10000 of 20000 functions').waitFor();
        report.figure('extension host blocked at most by opening the filter (ms)', await longest(inHost));
      });
      await report.check('a rule is typed into it', async () => {
        await cursorAt(session, 'EXCLUDE *');
        await inHost(() => {
          blocked.milliseconds = 0;
        });
        await page.keyboard.press('Enter');
        await page.keyboard.type('INCLUDE MANGLED _ZN6solver6Kernel19999*', { delay: 40 });
        await page.keyboard.press('Escape');
        await workbench.lens('Instruments 10001 of 20000 functions').waitFor();
        report.figure('extension host blocked at most while typing (ms)', await longest(inHost));
        await workbench.screenshot('filter-large');
      });
    });
  });
}

async function longest(inHost) {
  const milliseconds = await inHost(() => blocked.milliseconds);
  return milliseconds.toFixed(1);
}
