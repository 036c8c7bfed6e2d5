// What the first minutes look like when something goes wrong: pictures for people (`--only firstTrouble`), not in the regular list; scenario
// `mistakes` checks the messages.
import { spawn } from 'node:child_process';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { assert, until } from '../lib/report.mjs';
import { withSession } from '../lib/session.mjs';
import { processesIn, withWorkspace } from '../lib/workspace.mjs';

const makefile = 'CFLAGS = -O2 -g\nprogram: program.c\n\t$(CC) $(CFLAGS) -o $@ $<\nclean:\n\trm -f program\n';
const slowMakefile = makefile.replace('\t$(CC)', '\tsleep 20\n\t$(CC)');

function program(steps, end = 'return 0;') {
  return `#include <stdio.h>

static double kernel(int n) {
  double sum = 0;
  for (int i = 1; i < n; ++i) sum += 1.0 / i;
  return sum;
}

int main(void) {
  double sum = 0;
  for (int step = 0; step < ${steps}; ++step) sum += kernel(20000 + step % 7);
  printf("%g\\n", sum);
  ${end}
}
`;
}

export async function run(report, options) {
  await withWorkspace((folder) =>
    report.session('trouble', () =>
      withSession({ ...options, folder }, async (session) => {
        await failures(report, session, folder);
        await cancelling(report, session, folder);
        await noise(report, session, folder);
      }),
    ),
  );
}

async function begin({ workbench, inHost, page }, folder, files) {
  await inHost(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));
  await inHost(() => vscode.commands.executeCommand('notifications.clearAll'));
  for (const entry of readdirSync(folder)) rmSync(path.join(folder, entry), { recursive: true });
  for (const [file, text] of Object.entries(files)) writeFileSync(path.join(folder, file), text);
  await workbench.showView();
  const refine = page.locator('.welcome-view:visible .monaco-button', { hasText: 'Refine Instrumentation' });
  await refine.first().click();
  await workbench.answerDialog('Create and Refine');
}

async function failures(report, session, folder) {
  const { workbench } = session;
  await report.check('a compile error', async () => {
    await begin(session, folder, {
      Makefile: makefile,
      'program.c': program(4000).replace('return sum;', 'return summe;'),
    });
    const message = await workbench.toastMessage('summe');
    report.figure('message', message);
    await session.page.waitForTimeout(1500);
    await workbench.screenshot('trouble-compile-error');
  });
  await report.check('a program that ends with 1', async () => {
    await begin(session, folder, {
      Makefile: makefile,
      'program.c': program(10, 'fprintf(stderr, "cannot open mesh.dat\\n"); return 1;'),
    });
    const message = await workbench.toastMessage('status 1');
    report.figure('message', message);
    await session.page.waitForTimeout(1500);
    await workbench.screenshot('trouble-exit-1');
  });
}

async function cancelling(report, session, folder) {
  const { workbench, page } = session;
  const cancel = async (name, isReached) => {
    const toast = workbench.toast('Kymo: refining');
    await until(name, async () => isReached(await toast.innerText().catch(() => '')));
    await workbench.screenshot(`trouble-${name}`);
    await toast.locator('.monaco-button', { hasText: 'Cancel' }).click();
    await page.locator('.statusbar', { hasText: 'was cancelled' }).waitFor();
    await page.waitForTimeout(500);
    await workbench.screenshot(`trouble-${name}-cancelled`);
    await until('its processes to end', () => processesIn(folder).length === 0);
  };
  await report.check('cancelled while it builds', async () => {
    await begin(session, folder, { Makefile: slowMakefile, 'program.c': program(4000) });
    await cancel('building', (text) => /build|sleep/i.test(text));
  });
  await report.check('cancelled while it runs', async () => {
    await begin(session, folder, { Makefile: makefile, 'program.c': program(200_000) });
    await cancel('running', (text) => /run \d/.test(text));
  });
}

async function noise(report, session, folder) {
  const { workbench, page } = session;
  const end = async (name) => {
    await workbench.message('functions instrumented', 300_000);
    const message = await workbench.toastMessage('functions instrumented');
    report.figure('message', message);
    await page.waitForTimeout(1000);
    await workbench.screenshot(`trouble-${name}`);
    return message;
  };
  await report.check('a very short run', async () => {
    await begin(session, folder, { Makefile: makefile, 'program.c': program(20) });
    const message = await end('short');
    assert(message.includes('too short'), message);
  });
  await report.check('other work beside it', async () => {
    const busy = Array.from({ length: 6 }, () =>
      spawn(process.execPath, ['-e', 'for (;;) { const a = new Float64Array(1e6); a.sort(); }'], {
        stdio: 'ignore',
      }),
    );
    try {
      await begin(session, folder, { Makefile: makefile, 'program.c': program(30_000) });
      await end('noisy');
    } finally {
      for (const child of busy) child.kill('SIGKILL');
    }
  });
}
