/* global vscode, blocked -- functions given to `inHost` run in the extension host */
// Score-P filters as a language: from the first word to what the compiler makes of it.
import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { assert, until } from '../lib/report.mjs';
import { withSession } from '../lib/session.mjs';
import { writeStudy } from '../lib/studies.mjs';
import { withWorkspace } from '../lib/workspace.mjs';
import { addStudy, mistakes, names, whitelist } from './filterLanguage/program.mjs';
import { cursorAt, openFile, setSetting } from './inSource/inEditor.mjs';

export const name = 'filterLanguage';

const settings = { 'files.autoSave': 'off', 'editor.hover.delay': 100 };

export async function run(report, options) {
  await withWorkspace(async (folder) => {
    addStudy(folder);
    writeFileSync(path.join(folder, 'measured.filt'), whitelist);
    writeFileSync(path.join(folder, 'mistakes.filter'), mistakes);
    writeFileSync(path.join(folder, 'new.filter'), '');
    writeFileSync(path.join(folder, 'without-ending'), whitelist.split('\n').slice(1).join('\n'));
    await withSession({ ...options, folder, settings }, async (session) => {
      const file = (base) => path.join(folder, base);
      const here = { ...session, folder, file };
      await reading(report, here);
      await mending(report, here);
      await writing(report, here);
      await decisions(report, here);
      await comparing(report, here);
      await applying(report, here);
      await themes(report, here);
      await report.check('no request left the machine, no error in the page', () => {
        assert(session.foreign.length === 0, `foreign requests: ${session.foreign.join(' ')}`);
        assert(session.pageErrors.length === 0, `page errors: ${session.pageErrors.join(' ')}`);
      });
    });
  });
  await ofProfile(report, options);
  await large(report, options);
}

async function reading(report, here) {
  const { workbench, page, inHost, file } = here;
  await report.check(
    'a filter is known by its ending or its first line, and shows what its rules match',
    async () => {
      for (const base of ['without-ending', 'measured.filt']) {
        await openFile(here, file(base));
        const language = await inHost(() => vscode.window.activeTextEditor.document.languageId);
        assert(language === 'scorep-filter', `${base} is ${language}`);
      }
      await workbench.lens('Instruments 4 of 5 functions').waitFor();
      await workbench.lens('matches 3 of 5 functions').waitFor();
      await workbench.lens('2 patterns decide 2 of 5 functions').waitFor();
      const keyword = page.locator('.view-line span[class^="mtk"]', { hasText: /^MANGLED$/ }).first();
      const pattern = page.locator('.view-line span[class^="mtk"]', { hasText: /^_ZN12/ }).first();
      assert(
        (await keyword.getAttribute('class')) !== (await pattern.getAttribute('class')),
        'one colour for all',
      );
      await workbench.screenshot('filter-dark');
    },
  );
  await report.check('a hover names what a pattern matches, and helps with keywords', async () => {
    const pattern = await hover(here, '*i*', 3);
    assert(pattern.includes('Matches 3 of 5 functions') && pattern.includes('initial'), pattern);
    const keyword = await hover(here, 'MANGLED', 2);
    assert(keyword.includes('mangled'), keyword);
    await page.locator('.view-line', { hasText: '*i*' }).getByText('i', { exact: true }).first().hover();
    await page.locator('.monaco-hover', { hasText: 'Matches 3 of 5' }).first().waitFor();
    await workbench.screenshot('filter-hover');
    await page.mouse.move(640, 4);
  });
  await report.check(
    'a click on a lens lists the functions, and one of them leads to its source',
    async () => {
      await workbench.lens('matches 3 of 5 functions').locator('a').first().click();
      await workbench.quickPickRow('initial').waitFor();
      await workbench.screenshot('filter-matches');
      await workbench.pick('initial');
      await until('the source', () =>
        inHost(
          (wanted) =>
            vscode.window.activeTextEditor?.document.fileName === wanted &&
            vscode.window.activeTextEditor.selection.active.line === 23,
          file('main.cpp'),
        ),
      );
    },
  );
  await report.check('blocks fold, and the outline has every pattern', async () => {
    await openFile(here, file('measured.filt'));
    const { folds, symbols } = await inHost(async (filter) => {
      const uri = vscode.Uri.file(filter);
      const ranges = await vscode.commands.executeCommand('vscode.executeFoldingRangeProvider', uri);
      const all = await vscode.commands.executeCommand('vscode.executeDocumentSymbolProvider', uri);
      return {
        folds: ranges.map(({ start, end }) => `${start}-${end}`),
        symbols: all.flatMap((one) => [one.name, ...one.children.map((child) => child.name)]),
      };
    }, file('measured.filt'));
    assert(folds.includes('1-8') && folds.includes('6-8'), folds.join(' '));
    assert(symbols.includes('Region names') && symbols.includes(names.many), symbols.join(' '));
  });
}

async function hover({ inHost, file }, text, offset) {
  return inHost(
    async (filter, wanted, more) => {
      const uri = vscode.Uri.file(filter);
      const document = await vscode.workspace.openTextDocument(uri);
      const at = document.positionAt(document.getText().indexOf(wanted) + more - 1);
      const hovers = await vscode.commands.executeCommand('vscode.executeHoverProvider', uri, at);
      return hovers.flatMap(({ contents }) => contents.map(({ value }) => value)).join('\n');
    },
    file('measured.filt'),
    text,
    offset,
  );
}

/** Codes of what is told of a filter, once the engine has looked at it. */
function problems({ inHost }, filter) {
  return inHost(
    (wanted) =>
      vscode.languages
        .getDiagnostics(vscode.Uri.file(wanted))
        .filter(({ source }) => source === 'Score-P filter')
        .map(({ code, message, range }) => ({ code, message, line: range.start.line })),
    filter,
  );
}

/** Applies the first fix of the first problem of a kind; tells its title. */
function fix({ inHost }, filter, code) {
  return inHost(
    async (wanted, kind) => {
      const uri = vscode.Uri.file(wanted);
      const found = vscode.languages.getDiagnostics(uri).find((one) => one.code === kind);
      const [action] = await vscode.commands.executeCommand(
        'vscode.executeCodeActionProvider',
        uri,
        found.range,
        vscode.CodeActionKind.QuickFix.value,
      );
      if (action === undefined) return 'none';
      await vscode.workspace.applyEdit(action.edit);
      return action.title;
    },
    filter,
    code,
  );
}

async function mending(report, here) {
  const { workbench, page, file, inHost } = here;
  const filter = file('mistakes.filter');
  const codes = [
    'relative-file',
    'mangled-without-keyword',
    'matches-nothing',
    'inlined',
    'no-effect',
    'keyword-like',
    'not-closed',
  ];
  await report.check('each mistake in a filter is told, where it is', async () => {
    await openFile(here, filter);
    const found = await until('the problems', async () => {
      const all = await problems(here, filter);
      return codes.every((code) => all.some((one) => one.code === code)) && all;
    }).catch(async (error) => {
      throw new Error(`${error.message}: ${JSON.stringify(await problems(here, filter))}`);
    });
    for (const { code, message } of found) report.figure(code, message);
    await page.locator('.squiggly-warning').first().waitFor();
    await workbench.screenshot('filter-problems');
  });
  await report.check('the light bulb has the fix', async () => {
    await cursorAt(here, names.sweep);
    await page.keyboard.press('Control+.');
    await page.locator('.action-widget .monaco-list-row', { hasText: 'MANGLED' }).first().waitFor();
    await workbench.screenshot('filter-fixes');
    await page.keyboard.press('Escape');
  });
  await report.check('every mistake has a fix, and after them none is left', async () => {
    // What is mended may show the next mistake.
    for (let round = 0; round < 15; round++) {
      const before = await problems(here, filter);
      const [next] = before;
      if (next === undefined) break;
      report.figure(`fix of ${next.code}`, await fix(here, filter, next.code));
      await until(
        `“${next.message}” to go`,
        async () => JSON.stringify(await problems(here, filter)) !== JSON.stringify(before),
      );
    }
    const left = await problems(here, filter);
    assert(left.length === 0, JSON.stringify(left));
    await workbench.screenshot('filter-mended');
    await inHost(() => vscode.commands.executeCommand('workbench.action.files.revert'));
  });
}

async function writing(report, here) {
  const { workbench, page, inHost, file } = here;
  await report.check('names are completed from parts of them, with what must stand before them', async () => {
    await openFile(here, file('new.filter'));
    await page.keyboard.type('SCOREP_R');
    const widget = page.locator('.suggest-widget .monaco-list-row');
    await widget.filter({ hasText: 'SCOREP_REGION_NAMES_BEGIN' }).first().waitFor();
    await workbench.screenshot('filter-completion-keywords');
    await page.keyboard.press('Enter');
    await page.keyboard.type('swe');
    await widget.filter({ hasText: 'sweep' }).first().waitFor();
    await workbench.screenshot('filter-completion-names');
    await page.keyboard.press('Enter');
    await until('the name', async () => (await text(here)).includes(`INCLUDE MANGLED ${names.sweep}`));
    await page.keyboard.press('Enter');
    await page.keyboard.type('INCLUDE man');
    await widget.filter({ hasText: 'many(int)' }).first().click();
    await until('the name behind its own MANGLED', async () =>
      (await text(here)).includes(`INCLUDE MANGLED ${names.many}`),
    );
  });
  await report.check('formatting lays the filter out, and changes nothing of what it says', async () => {
    await inHost(async () => {
      const { document } = vscode.window.activeTextEditor;
      const edit = new vscode.WorkspaceEdit();
      const all = new vscode.Range(0, 0, document.lineCount, 0);
      edit.replace(
        document.uri,
        all,
        'SCOREP_REGION_NAMES_BEGIN EXCLUDE * # all\nINCLUDE   MANGLED a   b\nSCOREP_REGION_NAMES_END',
      );
      await vscode.workspace.applyEdit(edit);
      await vscode.commands.executeCommand('editor.action.formatDocument');
    });
    const wanted =
      'SCOREP_REGION_NAMES_BEGIN\n  EXCLUDE *  # all\n  INCLUDE MANGLED a\n  INCLUDE MANGLED b\nSCOREP_REGION_NAMES_END\n';
    assert((await text(here)) === wanted, await text(here));
    await inHost(() => vscode.commands.executeCommand('workbench.action.files.save'));
  });
}

function text({ inHost }) {
  return inHost(() => vscode.window.activeTextEditor.document.getText());
}

async function decisions(report, here) {
  const { workbench, inHost, file } = here;
  await report.check('the decision on the function under the cursor leads to its rule', async () => {
    await openFile(here, file('main.cpp'));
    await workbench.lens('visits').waitFor();
    await cursorAt(here, 'field.swap(next)');
    await workbench.runCommand('Kymo: Show Effective Filter Decision');
    await workbench.pick('measured.filt');
    await workbench.quickPickRow('When compiled: instrumented').waitFor();
    await workbench.screenshot('filter-decision');
    await workbench.pick('At run time: instrumented');
    await until('the rule', () =>
      inHost(
        (filter) =>
          vscode.window.activeTextEditor?.document.fileName === filter &&
          vscode.window.activeTextEditor.selection.active.line === 4,
        file('measured.filt'),
      ),
    );
  });
}

async function comparing(report, { workbench, page }) {
  await report.check('the filters of two iterations stand beside each other', async () => {
    await workbench.runCommand('Kymo: Compare Filters');
    await workbench.pick('Iteration 1');
    await page.locator('.monaco-diff-editor').first().waitFor();
    await page.locator('.monaco-diff-editor .view-line', { hasText: names.initial }).first().waitFor();
    await page.locator('.monaco-diff-editor .line-delete').first().waitFor();
    await workbench.screenshot('filter-compare');
    await page.keyboard.press('Control+F4');
  });
}

async function applying(report, here) {
  const { workbench, inHost, file, folder } = here;
  const pinned = () => {
    const name = path.join(folder, '.kymo/pins.json');
    return existsSync(name)
      ? JSON.parse(readFileSync(name, 'utf8')).pins.map(({ key, state }) => `${state} ${key}`)
      : [];
  };
  await report.check('a filter becomes pins, and one Undo takes them back', async () => {
    await openFile(here, file('measured.filt'));
    await workbench.runCommand('Kymo: Apply Filter to Pins');
    await workbench.toast('Applied measured.filt').waitFor();
    await workbench.screenshot('filter-applied');
    assert(pinned().join() === `in ${names.initial}`, `pinned: ${pinned().join(', ')}`);
    await workbench.clickInToast('Applied measured.filt', 'Undo');
    await until('the pins to go', () => pinned().length === 0);
    await inHost(() => vscode.commands.executeCommand('notifications.clearAll'));
  });
}

async function themes(report, here) {
  await report.check('the colours are legible in light and in high contrast', async () => {
    await openFile(here, here.file('mistakes.filter'));
    for (const [picture, theme] of [
      ['light', 'Light Modern'],
      ['contrast', 'Default High Contrast'],
      ['contrast-light', 'Default High Contrast Light'],
    ]) {
      await setSetting(here, 'workbench.colorTheme', theme);
      await here.page.waitForTimeout(800);
      await here.workbench.screenshot(`filter-${picture}`);
    }
    await setSetting(here, 'workbench.colorTheme', 'Dark Modern');
  });
}

const recorded = path.resolve(import.meta.dirname, '../../fixtures/cube4/tiny.cubex');

/** What a colleague has who only looks: no trust in the workspace, no study, a profile and a filter. */
async function ofProfile(report, options) {
  await withWorkspace(async (folder) => {
    copyFileSync(recorded, path.join(folder, 'profile.cubex'));
    const filter =
      'SCOREP_REGION_NAMES_BEGIN\n  EXCLUDE *\\ Heap::*\n  EXCLUDE gone*\nSCOREP_REGION_NAMES_END\n';
    writeFileSync(path.join(folder, 'coarse.filter'), filter);
    await withSession({ ...options, folder, settings, trusted: false }, async (session) => {
      const { workbench } = session;
      const file = path.join(folder, 'coarse.filter');
      await report.check('without known functions nothing is said of what rules match', async () => {
        await openFile(session, file);
        await session.page.waitForTimeout(1500);
        assert((await workbench.lenses()).length === 0, 'there are lenses');
        assert((await problems(session, file)).length === 0, JSON.stringify(await problems(session, file)));
      });
      await report.check('an opened profile of Score-P tells its functions, also without trust', async () => {
        await workbench.openFile('profile.cubex');
        await openFile(session, file);
        await workbench.lens('of profile.cubex').waitFor();
        await workbench.lens(/^matches [1-9]\d* of \d+ functions$/).waitFor();
        await until('the rule that matches nothing', async () =>
          (await problems(session, file)).some(({ code }) => code === 'matches-nothing'),
        );
        await workbench.screenshot('filter-of-profile');
      });
    });
  });
}

const functionCount = 20_000;
const ruleCount = 10_000;

async function large(report, options) {
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
    await withSession({ ...options, folder, settings }, async (session) => {
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
