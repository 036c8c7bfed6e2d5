// A file of 50,000 lines, edited in a thousand places at once: the extension host only follows, the engine compares.
import { assert, until } from '../../lib/report.mjs';
import { cursorAt, lensesByLine, openFile } from './inEditor.mjs';

export async function longFiles(report, here) {
  const { workbench, inHost, header } = here;
  await report.check('in 50,000 lines a thousand edits leave the lens at its function', async () => {
    await openFile(here, header);
    await cursorAt(here, 'double total(');
    await workbench.lens('nstrumented').waitFor();
    const before = await lensesByLine(here, header);
    await inHost(() => {
      blocked.milliseconds = 0;
    });
    await inHost(() =>
      // Not as a workspace edit: there VS Code itself takes twice as long for so many.
      vscode.window.activeTextEditor.edit((edit) => {
        for (let line = 1; line < 50_000; line += 50)
          if (line < 24_990 || line > 25_020) edit.insert(new vscode.Position(line, 0), '// inserted\n');
      }),
    );
    const applied = await inHost(() => blocked.milliseconds);
    await inHost(() => {
      blocked.milliseconds = 0;
    });
    await until('the lens to be at its function, and not stale', async () => {
      const after = await lensesByLine(here, header);
      return JSON.stringify(after) === JSON.stringify(before);
    });
    await inHost(() => new Promise((resolve) => setTimeout(resolve, 1500)));
    const following = await inHost(() => blocked.milliseconds);
    report.figure('extension host blocked at most while the edits are applied (ms)', applied.toFixed(1));
    report.figure('extension host blocked at most while they are followed (ms)', following.toFixed(1));
    assert(before.length === 1 && before[0][0].includes('total'), before.join('\n'));
    await inHost(() => vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor'));
  });
}
