/* global vscode -- functions given to `inHost` run in the extension host */
// What a measurement shows in the source while a person reads and edits it.
import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { assert, until } from '../lib/report.mjs';
import { withSession } from '../lib/session.mjs';
import { withWorkspace } from '../lib/workspace.mjs';

export const name = 'inSource';

/** Every recorded function is warned of: the fixture's cost less than the default limit. */
const settings = {
  'kymo.warnings.overheadPercent': 0,
  'editor.minimap.enabled': false,
  // In a browser the default saves after a second; here edits are taken back.
  'files.autoSave': 'off',
};

export async function run(report, options) {
  await withWorkspace((folder) => {
    addInlined(path.join(folder, 'main.cpp'));
    addFortranAndCuda(folder);
    return withSession({ ...options, settings, folder }, async (session) => {
      const here = { ...session, folder, main: path.join(folder, 'main.cpp') };
      await refined(report, here);
      await lensesFollow(report, here);
      await hoverAndMenu(report, here);
      await warningsAndFixes(report, here);
      await drawn(report, here);
      await otherLanguages(report, here);
      await hostileStudies(report, here);
      await report.check('no request left the machine, no error in the page', () => {
        assert(session.foreign.length === 0, `foreign requests: ${session.foreign.join(' ')}`);
        assert(session.pageErrors.length === 0, `page errors: ${session.pageErrors.join(' ')}`);
      });
    });
  });
}

async function refined(report, { workbench }) {
  await report.check('a refinement leaves lenses at the functions', async () => {
    await workbench.runCommand('Kymo: Refine Instrumentation');
    await workbench.pick('tiny');
    await workbench.answerDialog('Run');
    await workbench.toast('functions instrumented').waitFor({ timeout: 300_000 });
    await workbench.openFile('main.cpp');
    await workbench.lens('visits · overhead').waitFor();
  });
}

/** Lens titles by the text of the line that they stand above, as the provider gives them. */
async function lensesByLine({ inHost }, file) {
  return inHost(async (name) => {
    const uri = vscode.Uri.file(name);
    const document = await vscode.workspace.openTextDocument(uri);
    const lenses = await vscode.commands.executeCommand('vscode.executeCodeLensProvider', uri);
    return lenses
      .filter((lens) => lens.command?.command === 'kymo.explainFunctions')
      .map((lens) => [document.lineAt(lens.range.start.line).text, lens.command.title]);
  }, file);
}

/** Puts the cursor behind the first line with `text`. */
async function cursorAt({ inHost }, text) {
  await inHost(async (wanted) => {
    const editor = vscode.window.activeTextEditor;
    const line = editor.document
      .getText()
      .split('\n')
      .findIndex((one) => one.includes(wanted));
    const at = editor.document.lineAt(line).range.end;
    editor.selection = new vscode.Selection(at, at);
    editor.revealRange(new vscode.Range(at, at), vscode.TextEditorRevealType.InCenter);
  }, text);
  await inHost(() => vscode.commands.executeCommand('workbench.action.focusActiveEditorGroup'));
}

async function lensesFollow(report, here) {
  const { workbench, page, inHost, main } = here;
  const before = await lensesByLine(here, main);
  const expected = before.map(([line]) => line);
  await report.check('lines typed above move each lens with its function, and none is stale', async () => {
    await cursorAt(here, '#include "many.h"');
    await page.keyboard.press('Home');
    for (const text of ['// measured at night', '// on a quiet machine', '']) {
      await page.keyboard.type(text);
      await page.keyboard.press('Enter');
      const shown = await workbench.lenses();
      assert(shown.length > 0, 'the lenses went away while typing');
    }
    const after = await lensesByLine(here, main);
    assert(
      JSON.stringify(after) === JSON.stringify(before),
      `${after.join('\n')}\ninstead of\n${before.join('\n')}`,
    );
  });
  await report.check('an edit inside a function marks it, and only it', async () => {
    await cursorAt(here, 'double change = 0;');
    await page.keyboard.type(' change += 0;');
    await workbench.lens('changed since the run').waitFor();
    const after = await lensesByLine(here, main);
    assert(after.map(([line]) => line).join() === expected.join(), 'the lenses are others');
    const stale = after.filter(([, title]) => title.includes('changed since the run')).map(([line]) => line);
    assert(stale.length === 1 && stale[0].includes('sweep'), `stale: ${stale.join(' | ')}`);
    await workbench.screenshot('in-source-stale');
  });
  await report.check('taken back, it is as it was', async () => {
    await inHost(() => vscode.commands.executeCommand('workbench.action.files.revert'));
    await until('the mark to go', async () =>
      (await lensesByLine(here, main)).every(([, title]) => !title.includes('changed')),
    );
    const after = await lensesByLine(here, main);
    assert(JSON.stringify(after) === JSON.stringify(before), after.join('\n'));
  });
}

async function hoverAndMenu(report, here) {
  const { workbench, page, inHost, folder } = here;
  await report.check('a hover at the name has numbers, decision and links', async () => {
    const name = page
      .locator('.view-line', { hasText: 'double sweep(' })
      .locator('span', { hasText: /^sweep$/ });
    const place = await name.last().boundingBox();
    await until('the hover', async () => {
      await page.mouse.move(640, 4);
      await page.mouse.move(place.x + place.width / 2, place.y + place.height / 2, { steps: 4 });
      return page
        .locator('.monaco-hover:visible', { hasText: 'Instrumented' })
        .waitFor({ timeout: 3000 })
        .then(
          () => true,
          () => false,
        );
    });
    const text = await page.locator('.monaco-hover:visible', { hasText: 'Instrumented' }).innerText();
    for (const part of [
      'of the run time, with everything it calls',
      'what measuring it costs',
      'Exclude',
      'Explain',
    ])
      assert(text.includes(part), `${part} is not in: ${text}`);
    await workbench.screenshot('in-source-hover');
    await page.mouse.move(640, 4);
  });
  await report.check('the context menu of a function has a submenu Kymo', async () => {
    await cursorAt(here, 'double change = 0;');
    await page.waitForTimeout(500);
    await page.keyboard.press('Shift+F10');
    const entry = page.locator('.monaco-menu .action-item', { hasText: /^Kymo/ }).last();
    await entry.waitFor();
    await entry.hover();
    await page
      .locator('.monaco-menu .action-item', { hasText: /^Exclude from Instrumentation/ })
      .last()
      .waitFor();
    const items = (await page.locator('.monaco-submenu .action-label').allInnerTexts()).join(' | ');
    for (const part of ['Explain', 'Callers', 'Hot Spots', 'Include', 'Exclude', 'Phase'])
      assert(items.includes(part), `${part} is not in: ${items}`);
    await workbench.screenshot('in-source-menu');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
  });
  await report.check('a function becomes the phase by an edit that can be undone', async () => {
    await cursorAt(here, 'double change = 0;');
    await page.waitForTimeout(500);
    await workbench.runCommand('Kymo: Use Function as Phase');
    const text = await until('kymo.json to open', () =>
      inHost(() => {
        const { document } = vscode.window.activeTextEditor;
        return document.fileName.endsWith('kymo.json') && document.getText();
      }),
    );
    assert(/"phase": ".*sweep/.test(text), text);
    assert(text.includes('// Runs until somebody cancels it.'), 'the comments are gone');
    assert(!readFileSync(path.join(folder, 'kymo.json'), 'utf8').includes('phase'), 'it was saved');
    await inHost(() => vscode.commands.executeCommand('undo'));
    const undone = await inHost(() => vscode.window.activeTextEditor.document.getText());
    assert(!undone.includes('phase'), undone);
    await inHost(() => vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor'));
  });
}

function warningsOf({ inHost }, file) {
  return inHost(
    (name) =>
      vscode.languages
        .getDiagnostics(vscode.Uri.file(name))
        .filter(({ source }) => source === 'Kymo')
        .map(({ code, message, range, relatedInformation }) => ({
          code,
          message,
          line: range.start.line,
          related: (relatedInformation ?? []).map((one) => one.message),
        })),
    file,
  );
}

async function warningsAndFixes(report, here) {
  const { workbench, page, main, folder } = here;
  await report.check(
    'expensive functions are warned of, inlined ones are named with their callers',
    async () => {
      const found = await until('warnings', async () => {
        const all = await warningsOf(here, main);
        return all.some(({ message }) => message.includes('sweep')) ? all : undefined;
      });
      report.figure(
        'warnings of main.cpp',
        found.map(({ code, message }) => `${code}: ${message}`).join(' | '),
      );
      const inlined = found.find(({ code }) => code === 'inlined-away');
      assert(inlined.message.includes('total'), inlined.message);
      assert(inlined.related.join().includes('main'), `recorded instead: ${inlined.related.join()}`);
      await workbench.openFile('main.cpp');
      await page.locator('.squiggly-warning').first().waitFor();
      await workbench.screenshot('in-source-warning');
    },
  );
  await report.check('the quick fix Exclude pins the function out, and its warning goes', async () => {
    await cursorAt(here, 'double sweep(');
    await page.keyboard.press('Home');
    await page.keyboard.press('Control+ArrowRight');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Control+.');
    const fix = page.locator('.action-widget .monaco-list-row', { hasText: 'Exclude from Instrumentation' });
    await fix.first().waitFor();
    await workbench.screenshot('in-source-fixes');
    await fix.first().click();
    await until('the warning to go', async () =>
      (await warningsOf(here, main)).every(({ message }) => !message.includes('sweep costs')),
    );
    const { pins } = JSON.parse(readFileSync(path.join(folder, '.kymo/pins.json'), 'utf8'));
    assert(
      pins.length === 1 && pins[0].state === 'out' && pins[0].name.includes('sweep'),
      JSON.stringify(pins),
    );
    await workbench.lens('excluded from the next run on').waitFor();
  });
  await report.check('the excluded function is not in the next selection', async () => {
    await here.inHost(() => vscode.commands.executeCommand('notifications.clearAll'));
    await workbench.runCommand('Kymo: Refine Instrumentation');
    await workbench.pick('tiny');
    await workbench.toast('functions instrumented').waitFor({ timeout: 300_000 });
    const { functions } = functionsFile(folder);
    const sweep = functions.find((one) => one.name.includes('sweep'));
    assert(sweep.selected === false && sweep.reason.includes('excluded by the user'), JSON.stringify(sweep));
    await here.inHost(() => vscode.commands.executeCommand('notifications.clearAll'));
  });
}

function studyFolder(folder) {
  const target = path.join(folder, '.kymo/tiny');
  const last = readdirSync(target)
    .filter((one) => one.startsWith('refine-'))
    .sort()
    .at(-1);
  return path.join(target, last);
}

function functionsFile(folder) {
  return JSON.parse(readFileSync(path.join(studyFolder(folder), 'functions.json'), 'utf8'));
}

function setSetting({ inHost }, key, value) {
  return inHost(
    (id, to) => vscode.workspace.getConfiguration().update(id, to, vscode.ConfigurationTarget.Global),
    key,
    value,
  );
}

/** Texts that decorations put behind lines. */
function behindLines({ page }) {
  return page.evaluate(() =>
    [...globalThis.document.querySelectorAll('.view-line span')]
      .map((one) => globalThis.getComputedStyle(one, '::after').content)
      .filter((content) => content.includes('visit') || content.includes('instrumented')),
  );
}

async function drawn(report, here) {
  const { workbench, page, inHost } = here;
  await report.check('heat marks the lines of functions that take the time, in all themes', async () => {
    await workbench.openFile('main.cpp');
    await inHost(() => vscode.commands.executeCommand('workbench.action.closeSidebar'));
    // What the excluded function took is now seen in its caller.
    await cursorAt(here, 'std::vector<double> field = initial');
    const bars = await until('heat', () =>
      page.evaluate(
        () =>
          [...globalThis.document.querySelectorAll('.view-overlays .cdr')].filter(
            (one) => globalThis.getComputedStyle(one).borderLeftWidth === '2px',
          ).length,
      ),
    );
    report.figure('lines with heat on the screen', bars);
    const themes = {
      dark: 'Dark Modern',
      light: 'Light Modern',
      'contrast-dark': 'Default High Contrast',
      'contrast-light': 'Default High Contrast Light',
    };
    for (const [file, theme] of Object.entries(themes)) {
      await setSetting(here, 'workbench.colorTheme', theme);
      await page.waitForTimeout(1200);
      await workbench.screenshot(`in-source-heat-${file}`);
    }
    await setSetting(here, 'workbench.colorTheme', 'Dark Modern');
  });
  await report.check('the numbers can stand behind the lines instead of above them', async () => {
    await setSetting(here, 'kymo.codeLens.display', 'endOfLine');
    const texts = await until('numbers behind lines', async () => {
      const found = await behindLines(here);
      return found.length > 0 ? found : undefined;
    });
    report.figure('behind the lines', texts.join(' | '));
    await until('the lenses to go', async () => (await workbench.lenses()).length === 0);
    await workbench.screenshot('in-source-end-of-line');
  });
  await report.check('one command switches everything off and on', async () => {
    await workbench.runCommand('Kymo: Toggle Source Annotations');
    await until('the numbers to go', async () => (await behindLines(here)).length === 0);
    await workbench.runCommand('Kymo: Toggle Source Annotations');
    await until('the numbers to come back', async () => (await behindLines(here)).length > 0);
    await setSetting(here, 'kymo.codeLens.display', undefined);
    await workbench.lens('·').waitFor();
  });
}

/** A function with a loop that the compiler has to inline: nothing of it can be recorded. */
function addInlined(file) {
  const text = readFileSync(file, 'utf8')
    .replace(
      '}  // namespace',
      `__attribute__((always_inline)) inline double total(const std::vector<double>& field) {
  double sum = 0;
  for (double one : field) {
    sum += one > 0.5 ? one : -one;
  }
  return sum;
}

}  // namespace`,
    )
    .replace('change += many(step);', 'change += many(step) + 1e-30 * total(field);');
  writeFileSync(file, text);
}

/** Names that no installed extension knows: what is shown must not depend on a language. */
function addFortranAndCuda(folder) {
  writeFileSync(
    path.join(folder, 'grid.cu'),
    `double scale(double* field, int count) {
  double sum = 0;
  for (int at = 0; at < count; ++at) {
    field[at] *= 1.0001;
    sum += field[at];
    if (field[at] > 10) field[at] -= 10;
  }
  return sum;
}
`,
  );
  writeFileSync(
    path.join(folder, 'relax.f90'),
    `program grid
  implicit none
  real(8) :: field(20000)
  integer :: step
  field = 1
  do step = 1, 2000
    call relax(field, 20000)
  end do
  print *, field(10)
contains
  subroutine relax(values, count)
    integer, intent(in) :: count
    real(8), intent(inout) :: values(count)
    integer :: at
    do at = 2, count - 1
      values(at) = 0.25d0 * values(at - 1) + 0.5d0 * values(at) + 0.25d0 * values(at + 1)
      if (values(at) > 10) values(at) = values(at) - 10
    end do
  end subroutine relax
end program grid
`,
  );
}

async function otherLanguages(report, here) {
  const { workbench, folder, inHost } = here;
  await report.check('files of any language have lenses: positions come from the study', async () => {
    const file = path.join(studyFolder(folder), 'functions.json');
    const { kymoFunctions, functions } = JSON.parse(readFileSync(file, 'utf8'));
    const model = functions.find((one) => one.visits > 0);
    const added = [
      {
        ...model,
        key: 'scale',
        name: 'scale(double*, int)',
        file: path.join(folder, 'grid.cu'),
        line: 1,
        endLine: 9,
      },
      { ...model, key: 'relax', name: 'relax', file: path.join(folder, 'relax.f90'), line: 11, endLine: 19 },
    ];
    writeFileSync(file, JSON.stringify({ kymoFunctions, functions: [...functions, ...added] }));
    await inHost(() => vscode.commands.executeCommand('kymo.experiments.refresh'));
    for (const name of ['grid.cu', 'relax.f90']) {
      await workbench.openFile(name);
      await workbench.lens('visit').waitFor();
      const [[line]] = await lensesByLine(here, path.join(folder, name));
      assert(/scale|subroutine relax/.test(line), line);
    }
    const languages = await inHost(() => vscode.window.activeTextEditor.document.languageId);
    report.figure('language of relax.f90 here', languages);
  });
}

async function hostileStudies(report, here) {
  const { workbench, folder, inHost, main, page } = here;
  await report.check('names with HTML and of 10 kB are shown as text, and cut', async () => {
    const file = path.join(studyFolder(folder), 'functions.json');
    const text = readFileSync(file, 'utf8');
    const { kymoFunctions, functions } = JSON.parse(text);
    const hostile = '<img src=x onerror=alert(1)>[run](command:workbench.action.terminal.new)';
    const renamed = functions.map((one, at) => ({
      ...one,
      name: at % 2 === 0 ? `${hostile}${one.name}` : `${one.name}${'<long>'.repeat(2000)}`,
    }));
    writeFileSync(file, JSON.stringify({ kymoFunctions, functions: renamed }));
    await inHost(() => vscode.commands.executeCommand('kymo.experiments.refresh'));
    await workbench.openFile('main.cpp');
    await workbench.lens('·').waitFor();
    await until('hostile names in warnings', async () =>
      (await warningsOf(here, main)).some(({ message }) => message.includes('<')),
    );
    await workbench.lens('·').locator('a').first().click();
    await workbench.quickPickRow('nstrumented').waitFor();
    await workbench.screenshot('in-source-hostile');
    assert(
      (await page.locator('.quick-input-widget img').count()) === 0,
      'markup of a name became an element',
    );
    await page.keyboard.press('Escape');
    writeFileSync(file, text);
  });
  await report.check('a source file that was renamed has no lenses, and nothing breaks', async () => {
    const moved = path.join(folder, 'renamed.cpp');
    await inHost(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));
    renameSync(main, moved);
    await inHost(() => vscode.commands.executeCommand('kymo.experiments.refresh'));
    assert((await lensesByLine(here, moved)).length === 0, 'lenses of another file');
    await until('its warnings to go', async () => (await warningsOf(here, main)).length === 0);
    renameSync(moved, main);
  });
}
