import { useTranslation } from 'react-i18next';
import type { Labelled } from './labels';

/** In words, how many campaigns, experiments and people have a category or tag; empty for none. */
export function useCarriers() {
  const { t } = useTranslation();
  return ({ campaigns, experiments, people }: Labelled) =>
    [
      campaigns > 0 && t('staff.labels.campaigns', { count: campaigns }),
      experiments > 0 && t('staff.labels.experiments', { count: experiments }),
      people > 0 && t('staff.labels.people', { count: people }),
    ]
      .filter(Boolean)
      .join(', ');
}
