import type { i18n } from 'i18next';
import type { Language } from '../domain/languages';

/**
 * A part of a language's texts, loaded as a chunk. shell: what every page and the home page need, because most visits
 * begin there · inner: the other pages. parts.json has the keys of each part.
 */
export type TextPart =
  | 'shell'
  | 'inner'
  | 'forms'
  | 'pledge'
  | 'editing'
  | 'overview'
  | 'own'
  | 'claims'
  | 'people'
  | 'search'
  | 'menu'
  | 'ledger'
  | 'desk'
  | 'errors';

type Load = () => Promise<{ default: object }>;

// build/texts.cjs splits the catalogues according to parts.json.
const loaders: Readonly<Record<Language, Readonly<Record<TextPart, Load>>>> = {
  fi: {
    shell: () => import(/* webpackChunkName: "texts-fi" */ './fi.json?part=shell'),
    inner: () => import(/* webpackChunkName: "texts-fi-inner" */ './fi.json?part=inner'),
    errors: () =>
      import(/* webpackChunkName: "texts-fi-errors" */ '../api/errors.generated.json?language=fi'),
    forms: () => import(/* webpackChunkName: "texts-fi-forms" */ './fi.json?part=forms'),
    pledge: () => import(/* webpackChunkName: "texts-fi-pledge" */ './fi.json?part=pledge'),
    editing: () => import(/* webpackChunkName: "texts-fi-editing" */ './fi.json?part=editing'),
    overview: () => import(/* webpackChunkName: "texts-fi-overview" */ './fi.json?part=overview'),
    own: () => import(/* webpackChunkName: "texts-fi-own" */ './fi.json?part=own'),
    claims: () => import(/* webpackChunkName: "texts-fi-claims" */ './fi.json?part=claims'),
    people: () => import(/* webpackChunkName: "texts-fi-people" */ './fi.json?part=people'),
    search: () => import(/* webpackChunkName: "texts-fi-search" */ './fi.json?part=search'),
    menu: () => import(/* webpackChunkName: "texts-fi-menu" */ './fi.json?part=menu'),
    ledger: () => import(/* webpackChunkName: "texts-fi-ledger" */ './fi.json?part=ledger'),
    desk: () => import(/* webpackChunkName: "texts-fi-desk" */ './fi.json?part=desk'),
  },
  en: {
    shell: () => import(/* webpackChunkName: "texts-en" */ './en.json?part=shell'),
    inner: () => import(/* webpackChunkName: "texts-en-inner" */ './en.json?part=inner'),
    errors: () =>
      import(/* webpackChunkName: "texts-en-errors" */ '../api/errors.generated.json?language=en'),
    forms: () => import(/* webpackChunkName: "texts-en-forms" */ './en.json?part=forms'),
    pledge: () => import(/* webpackChunkName: "texts-en-pledge" */ './en.json?part=pledge'),
    editing: () => import(/* webpackChunkName: "texts-en-editing" */ './en.json?part=editing'),
    overview: () => import(/* webpackChunkName: "texts-en-overview" */ './en.json?part=overview'),
    own: () => import(/* webpackChunkName: "texts-en-own" */ './en.json?part=own'),
    claims: () => import(/* webpackChunkName: "texts-en-claims" */ './en.json?part=claims'),
    people: () => import(/* webpackChunkName: "texts-en-people" */ './en.json?part=people'),
    search: () => import(/* webpackChunkName: "texts-en-search" */ './en.json?part=search'),
    menu: () => import(/* webpackChunkName: "texts-en-menu" */ './en.json?part=menu'),
    ledger: () => import(/* webpackChunkName: "texts-en-ledger" */ './en.json?part=ledger'),
    desk: () => import(/* webpackChunkName: "texts-en-desk" */ './en.json?part=desk'),
  },
  sv: {
    shell: () => import(/* webpackChunkName: "texts-sv" */ './sv.json?part=shell'),
    inner: () => import(/* webpackChunkName: "texts-sv-inner" */ './sv.json?part=inner'),
    errors: () =>
      import(/* webpackChunkName: "texts-sv-errors" */ '../api/errors.generated.json?language=sv'),
    forms: () => import(/* webpackChunkName: "texts-sv-forms" */ './sv.json?part=forms'),
    pledge: () => import(/* webpackChunkName: "texts-sv-pledge" */ './sv.json?part=pledge'),
    editing: () => import(/* webpackChunkName: "texts-sv-editing" */ './sv.json?part=editing'),
    overview: () => import(/* webpackChunkName: "texts-sv-overview" */ './sv.json?part=overview'),
    own: () => import(/* webpackChunkName: "texts-sv-own" */ './sv.json?part=own'),
    claims: () => import(/* webpackChunkName: "texts-sv-claims" */ './sv.json?part=claims'),
    people: () => import(/* webpackChunkName: "texts-sv-people" */ './sv.json?part=people'),
    search: () => import(/* webpackChunkName: "texts-sv-search" */ './sv.json?part=search'),
    menu: () => import(/* webpackChunkName: "texts-sv-menu" */ './sv.json?part=menu'),
    ledger: () => import(/* webpackChunkName: "texts-sv-ledger" */ './sv.json?part=ledger'),
    desk: () => import(/* webpackChunkName: "texts-sv-desk" */ './sv.json?part=desk'),
  },
};

// By store: what useTranslation gives is not i18next's instance itself, but has its store.
const loadedParts = new WeakMap<i18n['store'], Set<string>>();

/**
 * The parts that are loaded in any language, as `language/part`. After a change of language, the page needs the same
 * parts in the new one.
 */
const partsOf = (instance: i18n) => {
  const known = loadedParts.get(instance.store) ?? new Set<string>();
  loadedParts.set(instance.store, known);
  return known;
};

/** Loads these parts, and those that are loaded in another language, unless they are loaded already. */
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
      const { default: texts } = await loaders[language][part]();
      instance.addResourceBundle(language, 'translation', texts);
      known.add(`${language}/${part}`);
    }),
  );
}
