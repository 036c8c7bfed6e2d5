// Running things: settings, tasks, status, diagnostics, trust, several folders. Their parts are in running/.
import { cpSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { withSession } from '../lib/session.mjs';
import { withWorkspace } from '../lib/workspace.mjs';
import { restricted, severalFolders } from './running/folders.mjs';
import { hostile, makeHostile } from './running/hostile.mjs';
import { configuration, guide, wrongSetting } from './running/settings.mjs';
import { diagnostics, status } from './running/status.mjs';
import { tasks } from './running/tasks.mjs';

export async function run(report, options) {
  const inSession = (name, settings, work) =>
    report.session(name, () => withSession({ ...options, ...settings }, work));
  await withWorkspace(async (folder) => {
    await inSession('running', { folder }, async (session) => {
      await wrongSetting(report, session);
      await tasks(report, session, folder);
      await status(report, session, folder);
      await configuration(report, session, folder);
      await diagnostics(report, session);
      await guide(report, session);
    });
    const trapped = makeHostile(folder);
    await inSession('restricted', { folder, trusted: false }, async (session) => {
      await restricted(report, session, folder);
      await hostile(report, session, trapped);
    });
  });
  await withWorkspace((folder) => {
    const second = path.join(path.dirname(folder), 'second');
    cpSync(folder, second, { recursive: true });
    const file = path.join(path.dirname(folder), 'both.code-workspace');
    writeFileSync(file, JSON.stringify({ folders: [{ path: 'tiny' }, { path: 'second' }] }));
    return inSession('several folders', { folder: file }, (session) =>
      severalFolders(report, session, second),
    );
  });
}
