// Real studies of a Fortran and of a CUDA-named program: lenses, hovers and marks under whatever language id an extension gives them.
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { assert, until } from '../lib/report.mjs';
import { withSession } from '../lib/session.mjs';
import { withWorkspace } from '../lib/workspace.mjs';
import { cursorAt, lensesByLine, openFile } from './inSource/inEditor.mjs';

const solver = path.resolve(import.meta.dirname, '../../../examples/solver');
/** As the extensions that people use for Fortran call it; the probe declares them. */
const fortranIds = ['FortranFreeForm', 'FortranFixedForm', 'fortran', 'fortran_fixed-form', 'plaintext'];

export async function run(report, options) {
  await withWorkspace((folder) => {
    rmSync(folder, { recursive: true });
    addPrograms(folder);
    return withSession({ ...options, folder, settings: { 'files.autoSave': 'off' } }, async (session) => {
      const here = { ...session, folder };
      await refine(report, here, 'poisson');
      await fortran(report, here);
      await refine(report, here, 'grid');
      await cuda(report, here);
      await report.check('no request left the machine, no error in the page', () => {
        assert(session.foreign.length === 0, `foreign requests: ${session.foreign.join(' ')}`);
        assert(session.pageErrors.length === 0, `page errors: ${session.pageErrors.join(' ')}`);
      });
    });
  });
}

async function refine(report, { workbench, inHost }, target) {
  await report.check(`${target} is refined`, async () => {
    await workbench.runCommand('Kymo: Refine Instrumentation');
    await workbench.pick(target);
    await workbench.answerDialog('Run');
    await workbench.message('functions instrumented', 300_000);
    await inHost(() => vscode.commands.executeCommand('notifications.clearAll'));
  });
}

async function fortran(report, here) {
  const { workbench, page, inHost, folder } = here;
  const file = path.join(folder, 'sparse.f90');
  for (const id of fortranIds) {
    await report.check(`a Fortran file has lenses as ${id}`, async () => {
      await openFile(here, file);
      await speak(here, id);
      await workbench.lens('visits').waitFor();
      const lenses = await lensesByLine(here, file);
      assert(
        lenses.some(([line]) => line.includes('subroutine apply_laplacian')),
        lenses.join('\n'),
      );
      const hover = await hoverAt(here, file, 'apply_laplacian');
      assert(hover.includes('of the run time'), hover);
    });
  }
  await report.check('a procedure of a program, and one inside another, have theirs', async () => {
    const lines = [
      ...(await lensesByLine(here, path.join(folder, 'conjugate.f90'))),
      ...(await lensesByLine(here, path.join(folder, 'main.f90'))),
    ].map(([line]) => line);
    for (const part of ['subroutine solve', 'program poisson', 'function levels'])
      assert(
        lines.some((line) => line.includes(part)),
        `${part} is not in: ${lines.join(' | ')}`,
      );
    await workbench.screenshot('languages-fortran');
  });
  await report.check(
    'a name in capitals is found, and edits of a first line and of a body mark their procedures',
    async () => {
      await openFile(here, file);
      await inHost(async () => {
        const { document } = vscode.window.activeTextEditor;
        const edit = new vscode.WorkspaceEdit();
        const at = document.getText().indexOf('subroutine apply_laplacian');
        const range = new vscode.Range(document.positionAt(at), document.positionAt(at + 26));
        edit.replace(document.uri, range, 'SUBROUTINE APPLY_LAPLACIAN');
        const inner = document.getText().indexOf('inner_product + column');
        edit.insert(document.uri, document.positionAt(inner), '0 + ');
        await vscode.workspace.applyEdit(edit);
      });
      await workbench.lens('changed since the run').waitFor();
      const hover = await hoverAt(here, file, 'APPLY_LAPLACIAN');
      assert(hover.includes('Changed since the run'), hover);
      const stale = (await lensesByLine(here, file)).filter(([, title]) => title.includes('changed'));
      assert(stale.length === 2 && stale[1][0].includes('inner_product'), stale.join('\n'));
      await cursorAt(here, 'APPLY_LAPLACIAN');
      await page.waitForTimeout(500);
      await workbench.screenshot('languages-fortran-edited');
      await inHost(() => vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor'));
    },
  );
}

async function cuda(report, here) {
  const { workbench, folder } = here;
  await report.check('a CUDA file has lenses', async () => {
    const file = path.join(folder, 'grid.cu');
    await openFile(here, file);
    await speak(here, 'cuda-cpp');
    await workbench.lens('visits').waitFor();
    const lenses = await lensesByLine(here, file);
    assert(
      lenses.some(([line]) => line.includes('double scale(')),
      lenses.join('\n'),
    );
    await workbench.screenshot('languages-cuda');
  });
}

/** Gives the active document a language; fails where nothing declares it. */
async function speak({ inHost }, id) {
  await inHost(
    (language) => vscode.languages.setTextDocumentLanguage(vscode.window.activeTextEditor.document, language),
    id,
  );
  await until(`the language ${id}`, () =>
    inHost((language) => vscode.window.activeTextEditor?.document.languageId === language, id),
  );
}

function hoverAt({ inHost }, file, text) {
  return inHost(
    async (fileName, wanted) => {
      const uri = vscode.Uri.file(fileName);
      const document = await vscode.workspace.openTextDocument(uri);
      const at = document.positionAt(document.getText().indexOf(wanted) + 1);
      const hovers = await vscode.commands.executeCommand('vscode.executeHoverProvider', uri, at);
      return hovers.flatMap(({ contents }) => contents.map((one) => one.value ?? '')).join('\n');
    },
    file,
    text,
  );
}

/** The Fortran example, smaller, and a program that a C++ compiler builds from a file of CUDA's extension. */
function addPrograms(folder) {
  cpSync(solver, folder, { recursive: true, filter: (file) => !file.includes('.kymo') });
  const config = JSON.parse(readFileSync(path.join(folder, 'kymo.json'), 'utf8'));
  const [poisson] = config.targets;
  const refinement = { maximumIterations: 3, overheadPercent: 5, budgetSeconds: 120 };
  const grid = {
    name: 'grid',
    build: { command: '${cxx} -x c++ -O2 -g -o grid grid.cu', clean: 'rm -f grid' },
    executable: './grid',
    run: { arguments: [], timeoutSeconds: 60 },
    refinement,
  };
  const small = {
    ...poisson,
    run: { arguments: ['${cells}', '300'], timeoutSeconds: 60 },
    parameters: { cells: [300] },
    refinement,
  };
  writeFileSync(path.join(folder, 'kymo.json'), JSON.stringify({ ...config, targets: [small, grid] }));
  writeFileSync(
    path.join(folder, 'grid.cu'),
    `#include <cstdio>
#include <vector>

__attribute__((noinline)) double scale(double* field, int count) {
  double sum = 0;
  for (int at = 0; at < count; ++at) {
    field[at] *= 1.0001;
    sum += field[at];
    if (field[at] > 10) field[at] -= 10;
  }
  return sum;
}

int main() {
  std::vector<double> field(100000, 1.0);
  double sum = 0;
  for (int step = 0; step < 2000; ++step) {
    sum += scale(field.data(), 100000);
  }
  std::printf("%g\\n", sum);
}
`,
  );
}
