// A function has the same shares of the same base wherever it is shown: after a refinement, and after a measurement.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { frameWith, refinementPanel } from '../lib/panels.mjs';
import { patience } from '../lib/patience.mjs';
import { assert, until } from '../lib/report.mjs';
import { withSession } from '../lib/session.mjs';
import { viewsOf } from '../lib/views.mjs';
import { withRefinedWorkspace } from '../lib/workspace.mjs';
import { lensesByLine, warningsOf } from './inSource/inEditor.mjs';

/** Every recorded function is a problem: those of the fixture cost less than the default limit. */
const settings = { 'kymo.warnings.overheadPercent': 0, 'kymo.properties.threshold': 0 };

export async function run(report, options) {
  await withRefinedWorkspace(options, (folder) =>
    withSession({ ...options, settings, folder }, async (session) => {
      const here = { ...session, folder, views: viewsOf(session.page), kymo: cliOf(options, folder) };
      const study = truthOf(folder, 'refine-');
      await inFiles(report, here, study);
      await inSource(report, here, study);
      await inViews(report, here, study);
      await inPanels(report, here, study);
      await measurement(report, here);
      await report.check('no error in the page', () => {
        assert(session.pageErrors.length === 0, `page errors: ${session.pageErrors.join(' ')}`);
      });
    }),
  );
}

/** The rows of `functions.json` in the newest study or measurement: a hot function and a small one. */
function truthOf(folder, prefix) {
  const target = path.join(folder, '.kymo/tiny');
  const name = readdirSync(target)
    .filter((entry) => entry.startsWith(prefix))
    .sort()
    .at(-1);
  const directory = path.join(target, name);
  const { functions } = JSON.parse(readFileSync(path.join(directory, 'functions.json'), 'utf8'));
  const recorded = functions
    .filter(({ base, earlier, inclusiveShare }) => base && !earlier && inclusiveShare >= 0.001)
    .sort((a, b) => b.exclusiveShare - a.exclusiveShare);
  const hot = recorded.find((row) => row.name.endsWith('sweep'));
  const small = recorded.find(({ name: one }) => one === 'many') ?? recorded.at(-1);
  assert(hot !== undefined && small !== hot, `two functions in ${JSON.stringify(recorded)}`);
  return { directory, name, rows: [hot, small], base: hot.base };
}

function cliOf({ extension }, folder) {
  return (...words) => {
    const run = spawnSync(process.execPath, [path.join(extension, 'dist/cli.js'), ...words], {
      cwd: folder,
      encoding: 'utf8',
      timeout: patience(120_000),
      killSignal: 'SIGKILL',
    });
    if (run.status !== 0) throw new Error(`kymo ${words.join(' ')} ended with ${run.status}: ${run.stderr}`);
    return run.stdout;
  };
}

async function inFiles(report, { kymo }, { directory, rows, base }) {
  await report.check('JSON: the findings have the shares and the base of functions.json', () => {
    const files = [
      JSON.parse(readFileSync(path.join(directory, 'properties.json'), 'utf8')),
      JSON.parse(kymo('properties', '--json', directory)),
    ];
    for (const { properties } of files) {
      const hotSpot = properties.find(
        ({ kind, region }) => kind === 'hot-spot' && region.name === rows[0].name,
      );
      same(hotSpot.evidence.exclusiveShare, rows[0].exclusiveShare, 'exclusive share of the hot spot');
      same(hotSpot.evidence.inclusiveShare, rows[0].inclusiveShare, 'inclusive share of the hot spot');
      same(JSON.stringify(hotSpot.base), JSON.stringify(base), 'base of the hot spot');
    }
  });
  await report.check('command line: profile and findings', () => {
    const text = kymo('profile', 'show', profileOf(directory, base));
    isOf(text, base, 'kymo profile show');
    for (const row of rows) {
      const [exclusive, inclusive] = percents(lineWith(text, row.name));
      shows(exclusive, row.exclusiveShare, `exclusive share of ${row.name} in: ${text}`);
      shows(inclusive, row.inclusiveShare, `inclusive share of ${row.name} in: ${text}`);
    }
    const finding = lineWith(kymo('properties', directory), 'hot-spot');
    report.figure('finding', finding);
    for (const percent of percents(finding)) shows(percent, rows[0].exclusiveShare, finding);
  });
}

async function inSource(report, here, { rows, base }) {
  const { workbench, page, inHost } = here;
  for (const row of rows) {
    await report.check(`lens, hover and explanation of ${row.name}`, async () => {
      await workbench.openFile(path.basename(row.file));
      const lens = await until(`a lens at ${row.name}`, async () =>
        (await lensesByLine(here, row.file)).find(([text]) => text.includes(`${plain(row.name)}(`)),
      );
      shows(percents(lens[1])[0], row.inclusiveShare, `lens: ${lens[1]}`);
      shows(percents(lens[1])[1], row.overheadPercent / 100, `lens: ${lens[1]}`);
      const [cost] = /costs (.*? %)/.exec(row.reason)?.slice(1) ?? [];
      shows(cost, row.overheadPercent / 100, `reason: ${row.reason}`);

      const hover = await inHost(hoverAt, row.file, row.line, plain(row.name));
      allShares(hover.split('\n'), row, base, 'hover');

      await inHost(
        (file, line) =>
          void vscode.commands.executeCommand(
            'kymo.explainFunctions',
            vscode.Uri.file(file).toString(),
            line,
          ),
        row.file,
        row.line,
      );
      await workbench.quickPickRow('Shares').waitFor();
      const lines = await page.locator('.quick-input-list .monaco-list-row').allInnerTexts();
      allShares(
        lines.map((text) => text.replaceAll('\n', ' ')),
        row,
        base,
        'explanation',
      );
      await workbench.screenshot(`one-truth-explain-${plain(row.name)}`);
      await page.keyboard.press('Escape');
    });
  }
  await report.check('problems have the overhead that the function has', async () => {
    for (const row of rows) {
      const problem = await until(`a problem at ${row.name}`, async () =>
        (await warningsOf(here, row.file)).find(
          ({ line, code }) => line === row.line - 1 && code === 'excessive-overhead',
        ),
      );
      if (!problem.message.includes('the run time')) continue; // The finding of the run, not the prediction.
      shows(percents(problem.message)[0], row.overheadPercent / 100, `problem: ${problem.message}`);
    }
  });
}

/** Text of Kymo's hover at a name. */
async function hoverAt(file, line, name) {
  const uri = vscode.Uri.file(file);
  const document = await vscode.workspace.openTextDocument(uri);
  const column = document.lineAt(line - 1).text.indexOf(name);
  const hovers = await vscode.commands.executeCommand(
    'vscode.executeHoverProvider',
    uri,
    new vscode.Position(line - 1, column),
  );
  return hovers
    .flatMap(({ contents }) => contents.map(({ value }) => value))
    .join('\n')
    .replace(/\\(?=\W)|\*\*/g, '')
    .replaceAll('&lt;', '<');
}

async function inViews(report, { workbench, page, inHost, views }, { rows, base }) {
  await report.check('the Properties view shows the share of the hot spot, and its base', async () => {
    await workbench.showView();
    await inHost(() => vscode.commands.executeCommand('kymo.properties.focus'));
    const row = views.row('Properties', `${plain(rows[0].name)}`);
    await row.waitFor();
    shows(percents(await row.innerText())[0], rows[0].exclusiveShare, 'Properties view');
    const tooltip = page.locator('.workbench-hover:visible', { hasText: 'confidence' });
    const [text] = await until('the tooltip', async () => {
      const texts = await workbench.hoverTexts(row, tooltip);
      return texts.length > 0 && texts;
    });
    shows(percents(text)[0], rows[0].exclusiveShare, `tooltip: ${text}`);
    isOf(text, base, 'tooltip of the Properties view');
    await workbench.screenshot('one-truth-properties');
  });
  await report.check('the function table', async () => {
    await workbench.rowAction(' rounds · ', 'Open Function Table');
    const text = await until('the table', () =>
      inHost(() => {
        const document = vscode.window.activeTextEditor?.document;
        return document?.uri.scheme === 'kymo-functions' && document.getText();
      }),
    );
    isOf(text, base, 'function table');
    for (const row of rows) {
      const [exclusive, inclusive] = percents(lineWith(text, row.name));
      shows(exclusive, row.exclusiveShare, `exclusive share of ${row.name}`);
      shows(inclusive, row.inclusiveShare, `inclusive share of ${row.name}`);
    }
    await workbench.screenshot('one-truth-table');
    await inHost(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));
  });
}

async function inPanels(report, here, { rows, base }) {
  const { workbench, page, inHost } = here;
  await report.check('the refinement panel', async () => {
    await workbench.runCommand('Kymo: Show Refinement');
    const frame = await refinementPanel(page, 'tiny');
    for (const row of rows) {
      const cells = await cellsOf(frame, row.name);
      const [exclusive, inclusive] = percents(cells.text);
      shows(exclusive, row.exclusiveShare, `exclusive share of ${row.name} in: ${cells.text}`);
      shows(inclusive, row.inclusiveShare, `inclusive share of ${row.name} in: ${cells.text}`);
      isOf(cells.tooltips, base, 'tooltip of the refinement panel');
    }
    await workbench.screenshot('one-truth-refinement');
    await inHost(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));
  });
  await report.check('the hot-spot panel', async () => {
    await workbench.runCommand('Kymo: Show Hot Spots');
    await hotSpots(here, rows, base);
    await workbench.screenshot('one-truth-hot-spots');
    await inHost(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));
  });
}

/** Functions in the panel that is open have these shares. */
async function hotSpots({ page }, rows, base) {
  const frame = await frameWith(page, 'the hot-spot panel', (one) =>
    one.getByRole('tab', { name: 'Call Tree' }),
  );
  await frame.getByRole('tab', { name: 'Functions' }).click();
  const search = frame.getByRole('textbox', { name: 'Search functions' });
  for (const row of rows) {
    // A function that takes little may be far below.
    await search.fill(row.name);
    const { text } = await cellsOf(frame, row.name);
    const share = percents(text)[0];
    shows(share, row.inclusiveShare, `hot-spot panel: ${text}`);
  }
  await search.fill('');
  isOf(await frame.locator('body').innerText(), base, 'hot-spot panel');
}

async function cellsOf(frame, name) {
  const row = frame
    .locator('.grid-row:visible')
    .filter({ has: frame.getByText(name, { exact: true }) })
    .first();
  await row.waitFor();
  const text = (await row.innerText()).replaceAll('\n', ' ');
  const tooltips = await row
    .locator('[title], [data-tooltip]')
    .evaluateAll((cells) => cells.map((cell) => `${cell.title} ${cell.dataset.tooltip ?? ''}`).join(' '));
  return { text, tooltips };
}

async function measurement(report, here) {
  const { workbench, page, inHost, views, folder, kymo } = here;
  await report.check('a measurement stands in Experiments and has nothing to go on with', async () => {
    kymo('measure', '--target', 'tiny', '--repetitions', '1');
    const row = views.row('Experiments', 'measure');
    await row.waitFor();
    await row.locator('.codicon-dashboard').waitFor();
    await workbench.openMenuOf(row);
    const actions = await page.locator('.monaco-menu .action-label').allInnerTexts();
    for (const action of ['Accept', 'Next Round']) assert(!actions.includes(action), actions.join(' | '));
    await workbench.screenshot('one-truth-measurement-menu');
    await page.keyboard.press('Escape');
  });
  const measured = truthOf(folder, 'measure-');
  await report.check('a click opens its hot spots', async () => {
    await views.row('Experiments', 'measure').click();
    await hotSpots(here, measured.rows, measured.base);
    await workbench.screenshot('one-truth-measurement');
    await inHost(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));
  });
  await report.check('lenses, hovers and findings show it', async () => {
    const [hot] = measured.rows;
    await workbench.openFile('main.cpp');
    await until('the lens of the measurement', async () => {
      const [, title] = (await lensesByLine(here, hot.file)).find(([text]) => text.includes('sweep(')) ?? [];
      return title !== undefined && isRounded(percents(title)[0], hot.inclusiveShare);
    });
    const hover = await inHost(hoverAt, hot.file, hot.line, 'sweep');
    allShares(hover.split('\n'), hot, measured.base, 'hover');
    const row = views.row('Properties', 'sweep');
    await until('the Properties view', async () =>
      isRounded(percents(await row.innerText())[0], hot.exclusiveShare),
    );
  });
}

/** Inclusive and exclusive share and base in the lines of a text about a function. */
function allShares(lines, row, base, surface) {
  const line = (part) => lines.find((text) => text.includes(part)) ?? '';
  shows(percents(line('with everything it calls'))[0], row.inclusiveShare, `${surface}: ${lines.join('\n')}`);
  shows(percents(line('in the function itself'))[0], row.exclusiveShare, `${surface}: ${lines.join('\n')}`);
  isOf(line('Shares'), base, surface);
}

/** What a text says that its shares are of. */
function isOf(text, { run, clock }, surface) {
  const words = `${clock === 'cpu' ? 'computing time' : 'run time'} in run ${run}`;
  assert(text.includes(words), `${surface} does not say “${words}”: ${text}`);
}

function profileOf(directory, { run }) {
  const [round, repetition] = run.split('.');
  const folder = path.join(directory, round);
  const experiment = readdirSync(folder).find(
    (name) => name.startsWith('measured') && name.endsWith(repetition),
  );
  return path.join(folder, experiment, 'profile.cubex');
}

/** The line of a table that has a cell. */
function lineWith(text, part) {
  const line = text.split('\n').find((one) => one.split(/\s{2,}/).includes(part));
  assert(line !== undefined, `${part} is not in: ${text}`);
  return line;
}

/** `sweep` of `(anonymous namespace)::sweep` */
function plain(name) {
  return name.split('::').at(-1);
}

/** Percentages as they stand in a text: `97 %`, `<0.1 %`. */
function percents(text) {
  return text.match(/<?\d+(\.\d+)?\s%/g) ?? [];
}

function isRounded(percent, share) {
  const [, less, number, decimals = ''] = /^(<?)(\d+(?:\.(\d+))?)/.exec(percent ?? '') ?? [];
  if (less === '<') return 100 * share < Number(number);
  return number === (100 * share).toFixed(decimals.length);
}

function shows(percent, share, where) {
  assert(isRounded(percent, share), `${percent} is not ${(100 * share).toFixed(3)} %: ${where}`);
}

function same(one, other, what) {
  const isSame = typeof one === 'number' ? Math.abs(one - other) <= 1e-12 : one === other;
  assert(isSame, `${what}: ${one} and ${other}`);
}
