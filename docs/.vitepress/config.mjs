// The documentation as a site without a server and without anything from elsewhere: `npm run site` builds it to dist/site. Its source is the whole
// repository, so that links between README, guides and examples are the same on all pages; a link that leads nowhere fails the build.
import { cpSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');
const page = (text, file) => ({ text, link: `/${file.replace(/(README)?\.md$/, '')}` });

const sidebar = [
  {
    text: 'Getting started',
    items: [
      page('What Kymo is', 'README.md'),
      page('First refinement', 'docs/first-refinement.md'),
      {
        ...page('Examples', 'examples/README.md'),
        collapsed: true,
        items: ['bottlenecks', 'channel', 'degrading', 'growth', 'heat', 'roles'].map((name) =>
          page(name, `examples/${name}/README.md`),
        ),
      },
    ],
  },
  {
    text: 'Guides',
    items: [
      page('On a cluster', 'docs/cluster.md'),
      page('Coming from Score-P', 'docs/from-score-p.md'),
      page('A scaling study', 'docs/scaling-study.md'),
      page('Performance dynamics', 'docs/dynamics.md'),
      page('Diagnosis', 'docs/diagnosis.md'),
      page('Comparing measurements', 'docs/compare.md'),
      page('Comparing traces', 'docs/compare-traces.md'),
      page('Groups of processes', 'docs/groups.md'),
      page('A gate in CI', 'docs/gate.md'),
      page('Reports', 'docs/report.md'),
      page('Assistants', 'docs/assistants.md'),
    ],
  },
  {
    text: 'Panels',
    items: [
      page('Hot spots', 'docs/hot-spots.md'),
      page('Cube editor', 'docs/cube-editor.md'),
      page('Timeline', 'docs/timeline.md'),
      page('Traces side by side', 'docs/compare-panel.md'),
    ],
  },
  {
    text: 'Reference',
    items: [
      page('Commands', 'docs/reference/commands.md'),
      page('kymo.json', 'docs/reference/kymo-json.md'),
      page('Interfaces', 'docs/INTERFACES.md'),
      page('Launchers', 'docs/launchers.md'),
      page('Studies and models', 'docs/models.md'),
      page('Benchmarks', 'docs/benchmarks.md'),
      page('Security', 'SECURITY.md'),
      page('Changes', 'CHANGELOG.md'),
    ],
  },
  {
    text: 'Formats',
    collapsed: true,
    items: [
      page('Files of a running program', 'docs/formats.md'),
      page('Cube 4', 'docs/formats/cube4.md'),
      page('OTF2', 'docs/formats/otf2.md'),
      page('Call-graph traces', 'docs/formats/mvtrace.md'),
      page('Score-P filters', 'docs/formats/scorep-filter.md'),
    ],
  },
  {
    text: 'Contributing',
    collapsed: true,
    items: [
      page('How to contribute', 'CONTRIBUTING.md'),
      page('Architecture', 'docs/ARCHITECTURE.md'),
      page('Runtime', 'runtime/README.md'),
      page('Recording OpenMP', 'runtime/openmp/README.md'),
      page('Recording Pthreads', 'runtime/pthread/README.md'),
      page('Recording files', 'runtime/io/README.md'),
      page('Statistics of models', 'src/core/modeling/README.md'),
    ],
  },
];

/** Files that pages name and that are no pages. */
const attachments = ['LICENSE', 'docs/ci'];

/** A README is the page of its folder, also in links. */
function linkFolders(markdown) {
  markdown.core.ruler.push('folders', ({ tokens }) => {
    for (const { children } of tokens)
      for (const link of children ?? [])
        if (link.type === 'link_open')
          link.attrSet('href', link.attrGet('href').replace(/(^|\/)README\.md(?=#|$)/, '$1index.md'));
  });
}

export default {
  title: 'Kymo',
  description: 'Where a C, C++ or Fortran program spends its time, and why',
  lang: 'en',
  srcDir: '..',
  outDir: '../dist/site',
  cacheDir: '../node_modules/.cache/vitepress',
  srcExclude: [
    '{bench,dist,media,scripts,syntaxes,test,test-results,webview}/**',
    'src/!(core)/**',
    'src/core/!(modeling)/**',
    'src/core/README.md',
    'runtime/!(openmp|pthread|io|README.md)/**',
    '**/.*/**',
  ],
  rewrites: (file) => file.replace(/(^|\/)README\.md$/, '$1index.md'),
  markdown: {
    // What looks like HTML or a host name in a text is text, such as `<target>` and `main.c`.
    html: false,
    linkify: false,
    config: linkFolders,
  },
  themeConfig: {
    sidebar,
    search: { provider: 'local' },
    outline: [2, 3],
    docFooter: { prev: false, next: false },
  },
  buildEnd({ outDir }) {
    for (const file of attachments)
      cpSync(path.join(root, file), path.join(outDir, file), { recursive: true });
  },
};
