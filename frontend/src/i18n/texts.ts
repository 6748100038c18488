import type { i18n } from 'i18next';
import type { Language } from '../domain/languages';

/**
 * A part of a language's texts. The shell's words are on every page, with those of the home page, which comes first most
 * often; `inner` is what the pages behind it have.
 */
export type TextPart = 'shell' | 'inner' | 'forms' | 'pledge' | 'editing' | 'errors';

type Fetch = () => Promise<{ default: object }>;

// build/texts.cjs takes the catalogues apart as parts.json says.
const fetches: Readonly<Record<Language, Readonly<Record<TextPart, Fetch>>>> = {
  fi: {
    shell: () => import(/* webpackChunkName: "texts-fi" */ './fi.json?part=shell'),
    inner: () => import(/* webpackChunkName: "texts-fi-inner" */ './fi.json?part=inner'),
    errors: () =>
      import(/* webpackChunkName: "texts-fi-errors" */ '../api/errors.generated.json?language=fi'),
    forms: () => import(/* webpackChunkName: "texts-fi-forms" */ './fi.json?part=forms'),
    pledge: () => import(/* webpackChunkName: "texts-fi-pledge" */ './fi.json?part=pledge'),
    editing: () => import(/* webpackChunkName: "texts-fi-editing" */ './fi.json?part=editing'),
  },
  en: {
    shell: () => import(/* webpackChunkName: "texts-en" */ './en.json?part=shell'),
    inner: () => import(/* webpackChunkName: "texts-en-inner" */ './en.json?part=inner'),
    errors: () =>
      import(/* webpackChunkName: "texts-en-errors" */ '../api/errors.generated.json?language=en'),
    forms: () => import(/* webpackChunkName: "texts-en-forms" */ './en.json?part=forms'),
    pledge: () => import(/* webpackChunkName: "texts-en-pledge" */ './en.json?part=pledge'),
    editing: () => import(/* webpackChunkName: "texts-en-editing" */ './en.json?part=editing'),
  },
  sv: {
    shell: () => import(/* webpackChunkName: "texts-sv" */ './sv.json?part=shell'),
    inner: () => import(/* webpackChunkName: "texts-sv-inner" */ './sv.json?part=inner'),
    errors: () =>
      import(/* webpackChunkName: "texts-sv-errors" */ '../api/errors.generated.json?language=sv'),
    forms: () => import(/* webpackChunkName: "texts-sv-forms" */ './sv.json?part=forms'),
    pledge: () => import(/* webpackChunkName: "texts-sv-pledge" */ './sv.json?part=pledge'),
    editing: () => import(/* webpackChunkName: "texts-sv-editing" */ './sv.json?part=editing'),
  },
};

const held = new WeakMap<i18n, Set<string>>();

/** What the instance has been given, in any language: somebody who changes the language sees it still. */
const partsOf = (instance: i18n) => {
  const known = held.get(instance) ?? new Set<string>();
  held.set(instance, known);
  return known;
};

/** Fetches these parts in the language, unless they are there, and every part that is there in another language. */
export async function loadTexts(
  instance: i18n,
  language: Language,
  wanted: readonly TextPart[],
): Promise<void> {
  const known = partsOf(instance);
  const parts = new Set([...wanted, ...known].map((name) => name.split('/').at(-1) as TextPart));
  const missing = [...parts].filter((part) => !known.has(`${language}/${part}`));
  await Promise.all(
    missing.map(async (part) => {
      const { default: texts } = await fetches[language][part]();
      instance.addResourceBundle(language, 'translation', texts);
      known.add(`${language}/${part}`);
    }),
  );
}
