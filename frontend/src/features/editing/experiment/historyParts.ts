import type { Tag } from '../../../api/content';
import type { HistoryField } from '../../../api/experiments';
import { outcomes, type ExperimentParts, type Giver, type PartName } from './parts';

const byPath: Readonly<Record<string, PartName>> = {
  goal: 'goal',
  currency: 'currency',
  language: 'language',
  'sources.state.raised': 'state',
  'sources.organizations.list': 'organizations',
  links: 'links',
  tags: 'tags',
};

/** The part that the history calls by a path, such as fi.custom_language.results; undefined for what has none. */
export function partOfPath(path: string): PartName | undefined {
  const [language, ...rest] = path.split('.');
  if (path.startsWith('geographic_location')) return 'location';
  if (rest[0] === 'custom_language' && outcomes.some((one) => one === rest[1]))
    return `${language}.${rest[1]}` as PartName;
  if (['title', 'short_description', 'image_alt', 'json_description'].includes(rest.join('.')))
    return path as PartName;
  return byPath[path];
}

/** A change's fields as the page has them: a place is one, and sums that follow from others are left out. */
export function fieldsOf(fields: readonly HistoryField[]): HistoryField[] {
  const where = fields.filter(({ path }) => path.startsWith('geographic_location.'));
  const rest = fields.filter(
    ({ path }) =>
      !where.some((one) => one.path === path) &&
      path !== 'sources.organizations.raised' &&
      path !== 'sources.crowd.raised',
  );
  if (where.length === 0) return rest;
  const collect = (side: 'before' | 'after') =>
    Object.fromEntries(
      where.map((field): [string, unknown] => [field.path.split('.')[1] ?? '', field[side]]),
    );
  const place: HistoryField = {
    path: 'geographic_location',
    before: collect('before'),
    after: collect('after'),
    long: false,
  };
  return [...rest, place];
}

/** A value of the history as the part has it, so that it can be put back; undefined if it cannot. */
export function valueOf<Name extends PartName>(
  name: Name,
  value: unknown,
  now: ExperimentParts[Name],
  tags: readonly Tag[],
): ExperimentParts[Name] | undefined {
  if (value === undefined || value === null) return undefined;
  if (name === 'location') return placeOf(value, now as ExperimentParts['location']) as ExperimentParts[Name];
  if (name === 'tags') {
    const ids = value as number[];
    const found = ids.map((id) => tags.find((tag) => tag.id === id)).filter((tag) => tag !== undefined);
    return found.length === ids.length ? (found as ExperimentParts[Name]) : undefined;
  }
  if (name === 'organizations') {
    const list = value as { name: string; raised_minor: number }[];
    return list.map(({ name: who, raised_minor }): Giver => ({ name: who, raised: raised_minor })) as never;
  }
  return typeof value === typeof now ? (value as ExperimentParts[Name]) : undefined;
}

/** A place of which the history has what was changed of it: null is no pin, and what it lacks stays. */
function placeOf(value: unknown, now: ExperimentParts['location']): ExperimentParts['location'] {
  const all = { ...now, ...(value as Partial<ExperimentParts['location']>) };
  const { place, latitude, longitude } = all;
  const has = typeof latitude === 'number' && typeof longitude === 'number';
  return has ? { place, latitude, longitude } : { place };
}
