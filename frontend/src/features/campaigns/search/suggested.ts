import type { SearchAnswer } from '../../../api/search';
import type { Language } from '../../../domain/languages';
import { paths } from '../../../domain/paths';

/** A row below the field. */
export interface Suggestion {
  to: string;
  title: string;
  picture: string;
  isPerson: boolean;
  group: SearchAnswer['groups'][number]['name'];
}

/** The most rows that are suggested. */
const mostRows = 5;

/** The first hits of an answer as rows, in the order of the groups. */
export function suggestionsOf({ groups }: SearchAnswer, language: Language): Suggestion[] {
  return groups
    .flatMap(({ name, campaigns = [], creators = [], experiments = [] }) => [
      ...campaigns.map(({ campaign_id, slug, title, project_pic }) => ({
        to: paths.campaign(language, { id: campaign_id, slug }),
        title,
        picture: project_pic,
        isPerson: false,
        group: name,
      })),
      ...creators.map(({ user_id, first_name, last_name, image_filename }) => ({
        to: paths.profile(language, user_id),
        title: `${first_name} ${last_name}`,
        picture: image_filename,
        isPerson: true,
        group: name,
      })),
      ...experiments.map(({ experiment_id, slug, title, image }) => ({
        to: paths.experiment(language, { id: experiment_id, slug }),
        title,
        picture: image,
        isPerson: false,
        group: name,
      })),
    ])
    .slice(0, mostRows);
}
