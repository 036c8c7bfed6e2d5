// What the package of the extension has otherwise than the repository: its page and its package.json.

/** From this heading on, the README is for people who work on Kymo in a clone. */
const contributorsHeading = /^## Working on Kymo$/m;

/**
 * The page that VS Code shows for the extension: the README without the part for contributors. VS Code shows pictures of `https:` and
 * `data:` only, so that pictures of the package stand in the page itself; links to files that are not in the package become plain text.
 * @param {string} readme
 * @param {(path: string) => Uint8Array} read a file of the repository
 * @throws Error for a picture that is no PNG file, and without the heading of the contributors' part
 */
export function extensionPage(readme, read) {
  const end = readme.search(contributorsHeading);
  if (end < 0) throw new Error('README.md has no heading "## Working on Kymo".');
  return readme
    .slice(0, end)
    .replace(/!\[([^\]]*)\]\(([^)]+)\)/g, (_, text, file) => {
      if (!file.endsWith('.png')) throw new Error(`README.md: ${file} is no PNG file.`);
      return `![${text}](data:image/png;base64,${Buffer.from(read(file)).toString('base64')})`;
    })
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
