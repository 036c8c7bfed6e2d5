// What ships: exactly what runs, and no more than it may weigh.
import { assert, until } from '../lib/report.mjs';
import { withSession } from '../lib/session.mjs';
import { vsixContents, vsixFile } from '../lib/vsix.mjs';

const expected = [
  /^package(\.nls(\.de)?)?\.json$/,
  /^l10n\/bundle\.l10n(\.de)?\.json$/,
  /^readme\.md$/i,
  /^changelog\.md$/i,
  /^LICENSE\.txt$/i,
  /^dist\/(extension|engine|cli|wrapper)\.js$/,
  /^dist\/THIRD-PARTY-NOTICES\.txt$/,
  /^dist\/grammars\/[\w.-]+\.wasm$/,
  /^dist\/runtime\/.+$/,
  /^dist\/webview\/(comparison|cube|diagnosis|dynamics|hotSpots|models|refinement|scorepFlags|timeline)\.(js|css)$/,
  /^media\/walkthrough\/[\w-]+\.svg$/,
  /^syntaxes\/scorep-filter\.(tmLanguage|language-configuration)\.json$/,
  /^media\/(kymo(-light|-dark)?\.svg|icon\.png|kymo(\.hypotheses|\.rules|\.dynamics)?\.schema\.json)$/,
];
const needed = [
  'package.json',
  'package.nls.json',
  'package.nls.de.json',
  'l10n/bundle.l10n.json',
  'l10n/bundle.l10n.de.json',
  'dist/extension.js',
  'dist/engine.js',
  'dist/cli.js',
  'dist/THIRD-PARTY-NOTICES.txt',
  'dist/wrapper.js',
  'dist/webview/hotSpots.js',
  'dist/webview/hotSpots.css',
  'dist/webview/refinement.js',
  'dist/webview/refinement.css',
  'media/kymo.svg',
  'media/icon.png',
  'media/kymo-light.svg',
  'media/kymo-dark.svg',
  'syntaxes/scorep-filter.language-configuration.json',
  'syntaxes/scorep-filter.tmLanguage.json',
  'media/kymo.schema.json',
  'media/kymo.rules.schema.json',
  'media/kymo.hypotheses.schema.json',
  'media/kymo.dynamics.schema.json',
];

export async function run(report, options) {
  const { vsix } = options;
  const contents = vsixContents(vsix);
  await report.check('the package holds what runs and nothing else', () => {
    const unexpected = [...contents.keys()].filter((name) => !expected.some((pattern) => pattern.test(name)));
    assert(unexpected.length === 0, `unexpected: ${unexpected.join(', ')}`);
    const missing = needed.filter((name) => !contents.has(name));
    assert(missing.length === 0, `missing: ${missing.join(', ')}`);
  });
  await report.check('its page names neither files nor a repository that are not there', () => {
    const page = vsixFile(vsix, 'readme.md').toString('utf8');
    const links = [...page.matchAll(/\]\(([^)]{0,40})/g)].map(([, link]) => link);
    const foreign = links.filter((link) => !link.startsWith('https:'));
    assert(foreign.length === 0, `links to ${foreign.join(', ')}`);
    const manifest = vsixFile(vsix, 'package.json').toString('utf8');
    const { icon } = JSON.parse(manifest);
    assert(contents.has(icon), `no icon: ${icon}`);
    assert(
      !/example\.(invalid|com|org)|"scripts"/.test(manifest),
      'package.json has what is for a clone only',
    );
  });
  await report.check('it has the whole licence of each third-party package', () => {
    const [, ...notices] = vsixFile(vsix, 'dist/THIRD-PARTY-NOTICES.txt')
      .toString('utf8')
      .replace('\n\n', `\n\n${'-'.repeat(80)}\n\n`)
      .split(`\n\n${'-'.repeat(80)}\n\n`);
    assert(notices.length > 10, `${notices.length} licences`);
    const cut = notices.filter((text) => !/copyright/i.test(text) || !/WITHOUT WARRANTY|"AS IS"/i.test(text));
    assert(cut.length === 0, `not in full: ${cut.map((text) => text.slice(0, 60)).join(' | ')}`);
  });
  await report.check('the extension’s own bundle is at most 500 kB', () => {
    const bytes = contents.get('dist/extension.js') ?? 0;
    for (const bundle of ['extension', 'engine', 'cli', 'wrapper'])
      report.figure(`dist/${bundle}.js (kB)`, ((contents.get(`dist/${bundle}.js`) ?? 0) / 1000).toFixed(1));
    assert(bytes > 0 && bytes <= 500_000, `${bytes} bytes`);
  });
  await report.check('the bundle of each view is at most 450 kB, that of the hot spots 540 kB', () => {
    for (const view of [
      'comparison',
      'cube',
      'diagnosis',
      'dynamics',
      'hotSpots',
      'models',
      'refinement',
      'scorepFlags',
      'timeline',
    ]) {
      const size = (ending) => contents.get(`dist/webview/${view}.${ending}`) ?? 0;
      const bytes = size('js') + size('css');
      report.figure(`dist/webview/${view} (kB)`, (bytes / 1000).toFixed(1));
      assert(size('js') > 0 && bytes <= (view === 'hotSpots' ? 540_000 : 450_000), `${view}: ${bytes} bytes`);
    }
  });
  await report.session('page of the extension', () =>
    withSession({ ...options, folder: undefined }, (session) => pageOfExtension(report, session)),
  );
}

/** What people see before they install the extension, and who has it in the list of extensions. */
async function pageOfExtension(report, { page, workbench, inHost }) {
  await report.check('VS Code shows the page of the extension with its icon', async () => {
    await inHost(() => vscode.commands.executeCommand('extension.open', 'kymo.kymo'));
    await page.locator('.extension-editor .header img.icon').waitFor();
    const icon = await page
      .locator('.extension-editor .header img.icon')
      .evaluate((image) => image.naturalWidth);
    assert(icon >= 128, `the icon is ${icon} pixels wide`);
    await workbench.screenshot('extension-page');
  });
  await report.check('the page has its text, and no picture that VS Code cannot show', async () => {
    const readme = await until('the page', () =>
      frameWith(page, 'where a C, C++ or Fortran program spends its time'),
    );
    const widths = await readme.evaluate(() =>
      [...globalThis.document.images].map((image) => ({ text: image.alt, width: image.naturalWidth })),
    );
    report.figure('pictures on the page', widths.length);
    const broken = widths.filter(({ width }) => width === 0);
    assert(broken.length === 0, `not shown: ${broken.map(({ text }) => text).join(' | ')}`);
  });
  await report.check('the walkthrough that the page names shows its pictures', async () => {
    await workbench.runCommand('Kymo: Get Started');
    await until('a picture', () => frameWithPicture(page));
    await workbench.screenshot('walkthrough-picture');
  });
}

/** The frame of the workbench whose page has a text. */
function frameWith(page, text) {
  return frameOf(page, (wanted) => globalThis.document.body.innerText.includes(wanted), text);
}

/** The frame that shows a drawing large enough to be read. */
function frameWithPicture(page) {
  return frameOf(page, () =>
    [...globalThis.document.querySelectorAll('svg')].some((svg) => svg.getBoundingClientRect().width > 200),
  );
}

async function frameOf(page, isWanted, value) {
  for (const frame of page.frames().slice(1))
    if (await frame.evaluate(isWanted, value).catch(() => false)) return frame;
  return undefined;
}
