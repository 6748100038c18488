import type { Category, Tag } from '../../../api/content';
import { isDoc, type CampaignParts, type PartName } from './parts';

/** What the page knows that a history names by id. */
export interface Known {
  categories: readonly Category[];
  tags: readonly Tag[];
}

/**
 * A value of the history as the page has it, so that it can be put back. Undefined where the history does not have it, or
 * when what it names is not there any more.
 */
export function partOfHistory<Name extends PartName>(
  name: Name,
  value: unknown,
  now: CampaignParts[Name],
  known: Known,
): CampaignParts[Name] | undefined {
  if (value === undefined || value === null) return undefined;
  if (name === 'categories' || name === 'tags') {
    if (!Array.isArray(value)) return undefined;
    const all: readonly Category[] = known[name === 'tags' ? 'tags' : 'categories'];
    const list = value.map((id) => all.find((one) => one.id === id)).filter((one) => one !== undefined);
    if (list.length < value.length) return undefined;
    return (name === 'tags' ? list : list.map(({ id }) => id)) as CampaignParts[Name];
  }
  return typeof value === typeof now && isDoc(value) === isDoc(now)
    ? (value as CampaignParts[Name])
    : undefined;
}

/** Settings that are saved by their own fields, not with the page's texts; each is one name or address. */
export const ownFields = ['project_pic', 'creator_pic', 'video_url'] as const;
export type OwnField = (typeof ownFields)[number];

/** A cover that was drawn is none of the creator's: as a setting it is empty. */
export const ownFieldValue = (value: string) => (value.startsWith('scene-') ? '' : value);
