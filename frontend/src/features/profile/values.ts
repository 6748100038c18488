import type { LinksChange, Profile, ProfileChange } from '../../api/people';
import { all, maxLength, regex, required } from '../../domain/rules';
import type { RuleTable } from '../../ui/useAppForm';

/** A link while it is edited; the id tells rows apart. */
export interface LinkRow {
  id: number;
  title: string;
  url: string;
}

/** The values of the form. */
export interface ProfileValues {
  first_name: string;
  last_name: string;
  phone: string;
  short_description: string;
  links: readonly LinkRow[];
  skills: readonly string[];
  tags: readonly number[];
}

/** The service's bounds. */
export const most = {
  introduction: 280,
  skills: 20,
  skill: 60,
  tags: 10,
  links: 20,
  linkTitle: 100,
  url: 500,
};

/** What is wrong is said at the field; the service looks closer. */
export const profileRules: RuleTable<ProfileValues> = {
  first_name: all(required, maxLength(100)),
  last_name: all(required, maxLength(100)),
  phone: regex(/^\+?[0-9 ()-]{5,40}$/),
  short_description: maxLength(most.introduction),
};

/** The form's values of a saved profile. */
export function valuesOf(profile: Profile): ProfileValues {
  return {
    first_name: profile.first_name,
    last_name: profile.last_name,
    phone: profile.meta.phone,
    short_description: profile.short_description,
    links: profile.links.map(({ title, url }, id) => ({ id, title, url })),
    skills: profile.skills,
    tags: profile.tags.map(({ id }) => id),
  };
}

/** The names of the values that differ from what is saved. A row without anything in it is no difference. */
export function changedNames(saved: ProfileValues, values: ProfileValues): (keyof ProfileValues)[] {
  const names = Object.keys(values) as (keyof ProfileValues)[];
  const plain = (all: ProfileValues, name: keyof ProfileValues) =>
    JSON.stringify(name === 'links' ? linksChange(all.links).links : trimmed(all[name]));
  return names.filter((name) => plain(saved, name) !== plain(values, name));
}

const trimmed = (value: unknown) => (typeof value === 'string' ? value.trim() : value);

/** The texts that have changed, as PATCH takes them; undefined for none. */
export function profileChange(
  changed: readonly (keyof ProfileValues)[],
  values: ProfileValues,
): ProfileChange | undefined {
  const has = (name: keyof ProfileValues) => changed.includes(name);
  const change: ProfileChange = {
    ...(has('first_name') && { first_name: values.first_name.trim() }),
    ...(has('last_name') && { last_name: values.last_name.trim() }),
    ...(has('short_description') && { short_description: values.short_description.trim() }),
    ...(has('phone') && { meta: { phone: values.phone.trim() } }),
  };
  return Object.keys(change).length > 0 ? change : undefined;
}

/** Rows with both address and title empty are dropped. */
export const filledRows = (rows: readonly LinkRow[]) =>
  rows.filter(({ title, url }) => title.trim() !== '' || url.trim() !== '');

/** The links as the service takes them: all of them, in their order. */
export function linksChange(rows: readonly LinkRow[]): LinksChange {
  return { links: filledRows(rows).map(({ title, url }) => ({ url: url.trim(), title: title.trim() })) };
}

/** Whether a text can be an address of the web or of email: the service looks closer. */
export function isAddress(text: string): boolean {
  return /^[^\s]+\.[^\s.]{2,}$/.test(text.trim()) && !/^(javascript|data|vbscript):/i.test(text.trim());
}
