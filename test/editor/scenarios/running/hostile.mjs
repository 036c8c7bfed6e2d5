// A clone that tries to have its own programs started, in a window that does not trust it.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { assert, until } from '../../lib/report.mjs';

/** @returns the file that a started program of the clone leaves */
export function makeHostile(folder) {
  const trapped = path.join(path.dirname(folder), 'trapped');
  const program = path.join(folder, 'trap.sh');
  writeFileSync(program, `#!/bin/sh\necho "$0 $*" >> '${trapped}'\nexit 1\n`, { mode: 0o755 });
  spawnSync('git', ['init', '-q'], { cwd: folder });
  const settings = `[core]\n\tfsmonitor = ${program}\n[filter "x"]\n\tclean = ${program}\n\trequired = true\n`;
  writeFileSync(path.join(folder, '.git', 'config'), settings, { flag: 'a' });
  writeFileSync(path.join(folder, '.gitattributes'), '* filter=x\n');
  // What a clone can bring: a bare repository as files.
  const bare = path.join(folder, '.kymo');
  for (const name of ['objects', 'refs']) mkdirSync(path.join(bare, name), { recursive: true });
  writeFileSync(path.join(bare, 'HEAD'), 'ref: refs/heads/main\n');
  writeFileSync(path.join(bare, 'config'), `[core]\n\tworktree = ${folder}\n${settings}`);
  symlinkSync(path.dirname(folder), path.join(bare, 'linked'));
  const target = {
    name: 'tiny',
    build: { command: './trap.sh ${cxx}', configure: './trap.sh', clean: './trap.sh' },
    executable: './trap.sh',
    backend: 'scorep',
    scorep: { instrumenter: './trap.sh' },
  };
  writeFileSync(path.join(folder, 'kymo.json'), JSON.stringify({ version: 1, targets: [target] }));
  return trapped;
}

export async function hostile(report, { workbench, inHost }, trapped) {
  await report.check(
    'a hostile clone has nothing of it started by any command before it is trusted',
    async () => {
      const count = await inHost(async () => {
        const { commands } = vscode.extensions.getExtension('kymo.kymo').packageJSON.contributes;
        for (const { command } of commands) {
          // Some wait for an answer.
          const asked = vscode.commands.executeCommand(command).then(undefined, () => undefined);
          await Promise.race([asked, new Promise((resolve) => setTimeout(resolve, 500))]);
          await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
        }
        return commands.length;
      });
      assert(count > 40, `${count} commands`);
      await inHost(() => vscode.commands.executeCommand('notifications.clearAll'));
      await workbench.page.keyboard.press('Escape');
      await workbench.runCommand('Kymo: Run Doctor');
      await until('the doctor of an untrusted workspace', () =>
        inHost(() =>
          vscode.workspace.textDocuments.some((one) => one.getText().includes('trust the workspace first')),
        ),
      );
      await workbench.screenshot('running-hostile');
      assert(!existsSync(trapped), existsSync(trapped) ? readFileSync(trapped, 'utf8') : '');
    },
  );
}
