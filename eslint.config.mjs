// The house's borders as rules: which floor may import which (docs/ARCHITECTURE.md). Published rules are in `oxlint.config.mjs`.
import { parser } from 'typescript-eslint';
import { house } from './scripts/lib/folderCycles.mjs';

const floors = [
  'core',
  'formats',
  'measurement',
  'overlay',
  'workflows',
  'engine',
  'cli',
  'protocol',
  'editor',
];
const mayImport = {
  core: [],
  formats: ['core'],
  measurement: ['core', 'formats'],
  overlay: ['core', 'formats'],
  workflows: ['core', 'formats', 'measurement', 'overlay'],
  engine: ['core', 'formats', 'measurement', 'overlay', 'workflows'],
  cli: ['core', 'formats', 'measurement', 'overlay', 'workflows', 'engine'],
  protocol: ['core'],
  editor: ['core', 'formats', 'measurement', 'overlay', 'workflows', 'engine', 'protocol'],
};
/** Floors inside of a floor, the lowest first: each imports those below it only. Surfaces do not import each other. */
const floorsInside = {
  measurement: [
    'files',
    'config',
    'compilers',
    'launch',
    'wrappers',
    'symbols',
    'layers',
    'experiments',
    'build',
    'results',
    'backends',
    'toolchain',
  ],
  editor: ['base', 'state', 'words', 'actions', 'surfaces', 'commands'],
};
const surfaces = [
  'annotations',
  'assistants',
  'configuration',
  'filters',
  'hovers',
  'lenses',
  'panels',
  'problems',
  'settings',
  'status',
  'tasks',
  'trees',
];
const outside = [
  'vscode',
  'fs',
  'net',
  'http',
  'https',
  'child_process',
  'worker_threads',
  'os',
  'fs/promises',
];
const withNode = (names) => names.flatMap((name) => [name, `node:${name}`]);

/** Imports of a floor that are refused, with the reason. */
const refused = (floor, others, where) =>
  others.map((other) => ({
    group: [`../**/${other}/*`, `../**/${other}/*/**`, `../${other}`, `./${other}/**`],
    message: `${where}/${floor} must not import ${where}/${other} (docs/ARCHITECTURE.md).`,
  }));

const border = (floor, files = `src/${floor}/**/*.ts`, inside = []) => ({
  files: [files],
  rules: {
    'no-restricted-imports': [
      'error',
      {
        paths: [
          ...(floor === 'core' || floor === 'protocol' || floor === 'formats'
            ? withNode(outside)
            : floor === 'editor'
              ? []
              : ['vscode']),
        ].map((name) => ({ name, message: `src/${floor} must not import ${name} (docs/ARCHITECTURE.md).` })),
        patterns: [
          ...refused(
            floor,
            floors.filter((other) => other !== floor && !mayImport[floor].includes(other)),
            'src',
          ),
          ...inside,
        ],
      },
    ],
  },
});

/** The borders of the floors inside of `floor`, each with those of the floor itself: one configuration replaces the other. */
function bordersInside(floor) {
  const order = floorsInside[floor];
  const where = `src/${floor}`;
  return [
    ...order.map((room, at) =>
      border(floor, `${where}/${room}/**/*.ts`, refused(room, order.slice(at + 1), where)),
    ),
    ...(floor === 'editor'
      ? surfaces.map((room) =>
          border(floor, `${where}/surfaces/${room}/**/*.ts`, [
            ...refused('surfaces', ['commands'], where),
            ...refused(
              room,
              surfaces.filter((other) => other !== room && other !== 'filters' && other !== 'settings'),
              `${where}/surfaces`,
            ),
          ]),
        )
      : []),
  ];
}

/** Browser code sees the protocol and the core; each library has one room, so that replacing it is one folder's work. */
function webviewBorder(rooms) {
  const libraries = [
    ...(rooms === 'ui/**' ? [] : [['@vscode/webview-ui-toolkit', 'webview/ui']]),
    ...(rooms === 'charts/**' ? [] : [['chart.js', 'webview/charts']]),
  ];
  return {
    paths: [
      ...withNode(outside).map((name) => ({ name, message: 'Webviews run in a browser.' })),
      ...libraries.map(([name, room]) => ({ name, message: `Only ${room} imports ${name}.` })),
    ],
    patterns: [
      {
        group: floors
          .filter((floor) => floor !== 'core' && floor !== 'protocol')
          .map((floor) => `**/src/${floor}/**`),
        message: 'webview/ may import src/protocol and src/core only (docs/ARCHITECTURE.md).',
      },
    ],
  };
}

/** A share is of a base, which is said with it: `shareOf` (src/core/functions/share.ts) makes it, and nobody divides by what 100 % is. */
const wholes = '/^(seconds|(run|total|longest|baseline|wall|cpu)Seconds)$/';
const useShareOf =
  'A share of a time is made by shareOf (src/core/functions/share.ts), which its base belongs to.';
const onlyShares = [
  'TSAsExpression > TSTypeReference > Identifier[name="Share"]',
  `BinaryExpression[operator="/"] > MemberExpression.right[property.name=${wholes}]`,
  `BinaryExpression[operator="/"] > Identifier.right[name=/^(run|total|longest|baseline|wall|cpu)Seconds$/]`,
].map((selector) => ({ selector, message: useShareOf }));

export default [
  { files: ['src/**/*.ts', 'webview/**/*.ts'], languageOptions: { parser } },
  {
    files: ['src/**/*.ts', 'webview/**/*.ts'],
    ignores: ['src/core/functions/**'],
    rules: { 'no-restricted-syntax': ['error', ...onlyShares] },
  },
  { files: ['src/**/*.ts'], plugins: { house }, rules: { 'house/no-folder-cycles': 'error' } },
  ...floors.flatMap((floor) => [border(floor), ...(floor in floorsInside ? bordersInside(floor) : [])]),
  ...['**', 'ui/**', 'charts/**'].map((rooms) => ({
    files: [`webview/${rooms}/*.ts`],
    rules: { 'no-restricted-imports': ['error', webviewBorder(rooms)] },
  })),
];
