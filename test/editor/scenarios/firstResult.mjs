// From opening a folder that Kymo has never seen to a result at the source: at most two clicks, with each build system.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { patience } from '../lib/patience.mjs';
import { assert, until } from '../lib/report.mjs';
import { withSession } from '../lib/session.mjs';
import { withWorkspace } from '../lib/workspace.mjs';

const program = `#include <stdio.h>

static double kernel(int n) {
  double sum = 0;
  for (int i = 1; i < n; ++i) sum += 1.0 / i;
  return sum;
}

int main(void) {
  double sum = 0;
  for (int step = 0; step < 4000; ++step) sum += kernel(20000 + step % 7);
  printf("%g\\n", sum);
  return 0;
}
`;

/** Files of the same program for each build system, and the programs that it needs. */
const buildSystems = {
  Makefile: {
    needs: ['make'],
    files: {
      Makefile: 'CFLAGS = -O2 -g\nprogram: program.c\n\t$(CC) $(CFLAGS) -o $@ $<\nclean:\n\trm -f program\n',
    },
  },
  CMake: {
    needs: ['cmake', 'make'],
    files: {
      'CMakeLists.txt':
        'cmake_minimum_required(VERSION 3.10)\nproject(first C)\nset(CMAKE_BUILD_TYPE RelWithDebInfo)\nadd_executable(program program.c)\n',
    },
  },
  Meson: {
    needs: ['meson', 'ninja'],
    files: { 'meson.build': "project('first', 'c')\nexecutable('program', 'program.c')\n" },
  },
  Autotools: {
    needs: ['autoreconf', 'automake', 'make'],
    files: {
      'configure.ac':
        'AC_INIT([first], [1.0])\nAM_INIT_AUTOMAKE([foreign])\nAC_PROG_CC\nAC_CONFIG_FILES([Makefile])\nAC_OUTPUT\n',
      'Makefile.am': 'bin_PROGRAMS = program\nprogram_SOURCES = program.c\n',
    },
  },
};

/** The others differ only in what `kymo init` writes, which its own tests check; `KYMO_BUILD_SYSTEMS=Meson,Autotools` tries them too. */
const tried = (process.env.KYMO_BUILD_SYSTEMS ?? 'Makefile,CMake').split(',');

export async function run(report, options) {
  for (const [name, system] of Object.entries(buildSystems)) {
    if (!tried.includes(name)) continue;
    const missing = system.needs.filter((tool) => spawnSync(tool, ['--version']).error !== undefined);
    if (missing.length > 0) {
      report.figure(`${name}: not tried, because these are not installed`, missing.join(', '));
      continue;
    }
    await withWorkspace(async (folder) => {
      for (const entry of readdirSync(folder)) rmSync(path.join(folder, entry), { recursive: true });
      for (const [file, text] of Object.entries({ 'program.c': program, ...system.files })) {
        mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
        writeFileSync(path.join(folder, file), text);
      }
      await report.session(name, () =>
        withSession({ ...options, folder }, (session) => twoClicks(report, session, name)),
      );
    });
  }
}

/** Counted from VS Code as it opens a folder: the Explorer in front, and nothing open. */
async function twoClicks(report, { workbench, page, inHost }, name) {
  await report.check(`${name}: two clicks from the opened folder to the hottest line`, async () => {
    let clicks = 0;
    const click = async (target) => {
      await target.click();
      clicks += 1;
    };
    await click(page.locator('.statusbar-item', { hasText: 'Refine This Program' }).first());
    await workbench.dialog().waitFor({ timeout: patience(120_000) });
    await workbench.screenshot(`first-result-${name}-question`);
    await click(workbench.dialog().locator('.monaco-button', { hasText: 'Create and Refine' }).first());
    await workbench.message('functions instrumented', 300_000);
    await until('the line of kernel', () =>
      inHost(() => {
        const editor = vscode.window.activeTextEditor;
        return editor?.document.lineAt(editor.selection.active.line).text.includes('double kernel(');
      }),
    );
    await workbench.lens('%').waitFor();
    await workbench.screenshot(`first-result-${name}`);
    assert(clicks <= 2, `${clicks} clicks`);
    await page.locator('.statusbar-item', { hasText: 'Refine This Program' }).waitFor({ state: 'hidden' });
  });
}
