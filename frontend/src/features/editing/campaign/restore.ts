import type { Category, Tag } from '../../../api/content';
import { isDoc } from '../partNames';
import type { CampaignParts, PartName } from './parts';

/** All categories and tags, to look up the ids that the history has. */
export interface Taxonomy {
  categories: readonly Category[];
  tags: readonly Tag[];
}

/**
 * Converts a value of the history to the part's type, so that it can be restored. Undefined if the history does not
 * have it, or if it names a category or tag that no longer exists.
 */
export function restorableValue<Name extends PartName>(
  name: Name,
  value: unknown,
  now: CampaignParts[Name],
  taxonomy: Taxonomy,
): CampaignParts[Name] | undefined {
  if (value === undefined || value === null) return undefined;
  if (name === 'categories' || name === 'tags') {
    if (!Array.isArray(value)) return undefined;
    const all: readonly Category[] = taxonomy[name === 'tags' ? 'tags' : 'categories'];
    const list = value.map((id) => all.find((one) => one.id === id)).filter((one) => one !== undefined);
    if (list.length < value.length) return undefined;
    return (name === 'tags' ? list : list.map(({ id }) => id)) as CampaignParts[Name];
  }
  return typeof value === typeof now && isDoc(value) === isDoc(now)
    ? (value as CampaignParts[Name])
    : undefined;
}

/** Settings that are not autosaved, because their editors save them at once; each is a file name or an address. */
export const ownFields = ['project_pic', 'creator_pic', 'video_url'] as const;

/** The value to save for one in the history. A generated cover (scene-…) is saved as empty: it is not the creator's. */
export const ownFieldValue = (value: string) => (value.startsWith('scene-') ? '' : value);
