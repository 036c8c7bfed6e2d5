// The published rules: those that ESLint recommends, and the strict and stylistic sets of typescript-eslint, all by oxlint, which has them on the native
// TypeScript compiler and takes a tenth of the time. The house's own borders are in `eslint.config.mjs`.
import js from '@eslint/js';
import tseslint from 'typescript-eslint';

/** Unknown to oxlint: about what modules cannot have, older names, and about enums and classes that are assigned to each other. */
const unknown = [
  'no-octal',
  'no-dupe-args',
  'no-new-symbol',
  'no-return-await',
  '@typescript-eslint/no-unsafe-enum-assignment',
  '@typescript-eslint/no-unsafe-class-instance-assignment',
];
/** They have the name of the rule that they extend. */
const extended =
  /^@typescript-eslint\/(?=no-(?:array-constructor|empty-function|unused-expressions|unused-vars|useless-constructor)$)/;

function published(...sets) {
  const settings = Object.entries(Object.assign({}, ...sets.map(({ rules }) => rules)))
    .filter(([name]) => !unknown.includes(name))
    .map(([name, setting]) => [
      name.replace(extended, '').replace('@typescript-eslint', 'typescript'),
      setting,
    ]);
  return Object.fromEntries(settings);
}

export default {
  plugins: ['typescript'],
  categories: { correctness: 'off' },
  options: { typeAware: true, reportUnusedDisableDirectives: 'error' },
  ignorePatterns: ['.kymo/**', 'test/**/fixtures/**', 'examples/**', 'docs/.vitepress/.temp/**'],
  env: { es2024: true, node: true },
  rules: published(js.configs.recommended),
  overrides: [
    {
      files: ['**/*.ts'],
      rules: {
        ...published(...tseslint.configs.strictTypeChecked, ...tseslint.configs.stylisticTypeChecked),
        complexity: ['error', 15],
        'max-lines': ['error', { max: 400, skipBlankLines: true, skipComments: true }],
        'typescript/switch-exhaustiveness-check': 'error',
        'typescript/restrict-template-expressions': ['error', { allowNumber: true }],
        'typescript/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
        'typescript/consistent-type-imports': 'error',
      },
    },
    {
      files: ['test/**/*.ts', 'bench/**/*.ts'],
      rules: { 'max-lines': 'off', 'typescript/no-non-null-assertion': 'off' },
    },
    // Functions that are given to `inHost` run in the extension host.
    {
      files: ['test/editor/**/*.mjs', 'test/webview/recordThemes.mjs'],
      globals: { vscode: 'readonly', blocked: 'readonly' },
    },
    { files: ['test/editor/integration/*.cjs'], env: { mocha: true } },
  ],
};
