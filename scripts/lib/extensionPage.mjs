// What the package of the extension has otherwise than the repository: its page and its package.json.

/** From this heading on, the README is for people who work on Kymo in a clone. */
const contributorsHeading = /^## Working on Kymo$/m;

/** In place of the first picture of the README. */
const whereThePicturesAre = 'The walkthrough **Kymo: Get Started** (Command Palette) shows this in pictures.';

/**
 * The page that VS Code shows for the extension: the README without the part for contributors. Since 1.103, VS Code removes the source of each picture
 * of this page that is not at an `http:` or `https:` address, be it relative, `data:` or of another scheme, and inline SVG too: such pictures would
 * look broken, so that the page names the walkthrough, whose pictures are in the package. Links to files that are not there become plain text.
 * @param {string} readme
 * @throws Error without the heading of the contributors' part
 */
export function extensionPage(readme) {
  const end = readme.search(contributorsHeading);
  if (end < 0) throw new Error('README.md has no heading "## Working on Kymo".');
  let pictures = 0;
  return readme
    .slice(0, end)
    .replace(/\n\s*!\[[^\]]*\]\((?!https:)[^)]+\)/g, () =>
      pictures++ === 0 ? `\n\n${whereThePicturesAre}` : '',
    )
    .replace(/(?<!!)\[([^\]]+)\]\((?!https?:|#|data:)[^)]+\)/g, '$1');
}

/**
 * The package.json that ships: what VS Code reads and no more.
 * @param {Record<string, unknown>} manifest
 */
export function publishedManifest(manifest) {
  const development = new Set(['scripts', 'private', 'dependencies', 'devDependencies']);
  return Object.fromEntries(Object.entries(manifest).filter(([key]) => !development.has(key)));
}
