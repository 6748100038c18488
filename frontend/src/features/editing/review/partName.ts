import type { TFunction } from 'i18next';
import type { PartName } from '../../../api/editing';

/** What people call a part of a campaign; reward:12 is a reward. */
export function partName(t: TFunction, part: string): string {
  const [name = part] = part.split(':');
  return t(`review.partNames.${name as Exclude<PartName, 'account'>}`);
}
