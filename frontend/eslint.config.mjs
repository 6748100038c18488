import jsxA11y from 'eslint-plugin-jsx-a11y';
import reactHooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';

/** src/api completes the generated calls with cache tags and lists; without these a screen would show stale data. */
const generated = { regex: '\\.generated$', message: 'Import from src/api/content or src/api/payments.' };

/** The imports that a layer may not have. Dependencies go one way: app → features → ui → api, i18n, domain. */
const layer = (files, regex, message, more = [generated]) => ({
  files,
  rules: { 'no-restricted-imports': ['error', { patterns: [{ regex, message }, ...more] }] },
});

const ownClock = [
  "MemberExpression[object.name='Date'][property.name='now']",
  "NewExpression[callee.name='Date'][arguments.length=0]",
].map((selector) => ({
  selector,
  message: 'Read the time from the store, with readNow or useNow; in tests take that of test/clock.',
}));
const ownTimeZone = {
  selector: "Literal[value='Europe/Helsinki']",
  message: 'Format days and times with src/i18n/format.',
};

/** A browser may refuse its storage, or have none: the guarded one goes on in memory. */
const storages = ['localStorage', 'sessionStorage'].map((name) => ({
  name,
  message: 'Use src/api/deviceStorage.',
}));

/** Mantine's components are wrapped once, in src/ui. */
const mantine = { regex: '^@mantine/', message: 'Import from src/ui.' };

const ownControl = {
  selector: 'JSXOpeningElement[name.name=/^(a|button|details|dialog|input|select|summary|textarea)$/]',
  message: 'Use the controls of src/ui, which define look and keyboard behaviour in one place.',
};

export default tseslint.config(
  { ignores: ['dist', 'coverage', 'src/api/*.generated.ts'] },
  {
    files: ['**/*.{ts,tsx}'],
    extends: [...tseslint.configs.strictTypeChecked, ...tseslint.configs.stylisticTypeChecked],
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/only-throw-error': ['error', { allow: ['Response'] }],
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: { attributes: false } }],
      '@typescript-eslint/prefer-nullish-coalescing': ['error', { ignorePrimitives: { string: true } }],
      '@typescript-eslint/no-unnecessary-condition': ['error', { allowConstantLoopConditions: true }],
      '@typescript-eslint/consistent-type-imports': 'error',
      'no-console': ['error', { allow: ['warn'] }],
      '@typescript-eslint/no-restricted-imports': [
        'error',
        {
          paths: [
            {
              name: 'react-router-dom',
              importNames: ['Form', 'useActionData', 'useFetcher', 'useFetchers', 'useSubmit'],
              message:
                'Write by a mutation of src/api: the build leaves actions and fetchers out of the router.',
            },
          ],
        },
      ],
    },
  },
  {
    files: ['**/*.tsx'],
    extends: [jsxA11y.flatConfigs.strict, reactHooks.configs.flat.recommended],
  },
  {
    files: ['src/**/*.ts'],
    plugins: { 'react-hooks': reactHooks },
    rules: { 'react-hooks/rules-of-hooks': 'error' },
  },

  {
    files: ['src/app/**/*.{ts,tsx}'],
    rules: { 'no-restricted-imports': ['error', { patterns: [generated, mantine] }] },
  },
  ...['*', '*/*', '*/*/*'].map((folder) =>
    layer(
      [`src/features/${folder}/*.{ts,tsx}`],
      `/app/|^${'\\.\\./'.repeat(folder.split('/').length)}(?!\\.\\./)`,
      'A feature reaches neither into app nor into another feature.',
      [generated, mantine],
    ),
  ),
  layer(['src/ui/**/*.{ts,tsx}'], '/(app|features)/', 'ui imports neither app nor features.'),
  layer(['src/api/**/*.{ts,tsx}'], '/(app|features|ui)/', 'api imports neither app, features nor ui.', []),
  layer(['src/i18n/**/*.{ts,tsx}'], '/(app|features|ui)/', 'i18n imports neither app, features nor ui.'),
  layer(
    ['src/domain/**/*.ts'],
    '/(app|features|ui|api|i18n)/|^(react|@mantine|@reduxjs)',
    'domain has only pure rules: no React and no other layer.',
  ),
  {
    files: ['src/**/*.{ts,tsx}', 'test/**'],
    ignores: ['src/api/clock.ts'],
    rules: { 'no-restricted-syntax': ['error', ...ownClock, ownTimeZone] },
  },
  {
    files: ['src/app/**/*.tsx', 'src/features/**/*.tsx'],
    ignores: ['**/*.test.tsx'],
    rules: { 'no-restricted-syntax': ['error', ...ownClock, ownTimeZone, ownControl] },
  },
  {
    files: ['src/**/*.{ts,tsx}'],
    ignores: ['src/api/deviceStorage.ts', '**/*.test.{ts,tsx}'],
    rules: {
      'no-restricted-globals': ['error', ...storages],
      'no-restricted-properties': [
        'error',
        ...storages.map(({ name, message }) => ({ property: name, message })),
      ],
    },
  },
  // The layers hold for what is loaded later, too.
  ...['*', '*/*', '*/*/*'].map((folder) => ({
    files: [`src/features/${folder}/*.{ts,tsx}`],
    ignores: ['**/*.test.{ts,tsx}'],
    rules: {
      'no-restricted-syntax': [
        'error',
        ...ownClock,
        ownTimeZone,
        ownControl,
        {
          selector: `ImportExpression[source.value=/\\/app\\/|^(\\.\\.\\/){${folder.split('/').length}}(?!\\.\\.\\/)/]`,
          message: 'A feature reaches neither into app nor into another feature, also not later.',
        },
      ],
    },
  })),
  { files: ['src/i18n/format.ts'], rules: { 'no-restricted-syntax': ['error', ...ownClock] } },
  {
    files: ['**/*.test.{ts,tsx}', 'test/**'],
    rules: {
      'no-restricted-imports': ['error', { patterns: [generated] }],
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
    },
  },
);
