// Sources of a run that was measured on another machine.
import path from 'node:path';
import { until } from '../../lib/report.mjs';
import { viewsOf } from '../../lib/views.mjs';
import { openWith } from './panel.mjs';
import { files } from './series.mjs';

export async function elsewhere(report, session, folder, line) {
  const { workbench, page, inHost } = session;
  await report.check(
    'a source of another machine is found, and by the setting where it is elsewhere',
    async () => {
      await openWith(session, path.join(folder, files.moved));
      const { row } = viewsOf(page);
      await until('the properties of the other file', async () =>
        (await row('Properties', '[33–128]').allInnerTexts()).some((text) => text.includes('other.cpp')),
      );
      await inHost(() =>
        vscode.workspace
          .getConfiguration('kymo')
          .update('sourcePaths', [{ from: '/elsewhere/other.cpp', to: 'main.cpp' }], false),
      );
      await until('the properties at the file that is here', async () =>
        (await row('Properties', '[33–128]').allInnerTexts()).some((text) => text.includes('main.cpp')),
      );
      await row('Properties', '[33–128]').click();
      await until('the line', () =>
        inHost(
          (wanted) =>
            vscode.window.activeTextEditor?.document.uri.path.endsWith('/main.cpp') &&
            vscode.window.activeTextEditor.selection.active.line === wanted - 1,
          line,
        ),
      );
      await workbench.screenshot('dynamics-elsewhere');
      await inHost(() => vscode.workspace.getConfiguration('kymo').update('sourcePaths', undefined, false));
    },
  );
}
