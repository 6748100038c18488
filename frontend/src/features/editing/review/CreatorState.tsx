import { useTranslation } from 'react-i18next';
import type { CampaignAdmin } from '../../../api/editing';
import { campaignStages } from '../../../domain/stages';
import { useLanguage } from '../../../i18n';
import { formatDay } from '../../../i18n/format';

/** A review's state in one sentence, for the team. */
export function CreatorState({ admin }: { admin: Pick<CampaignAdmin, 'review' | 'settings' | 'stage'> }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { review, settings, stage } = admin;
  const day = settings.first_day_of_funding;
  switch (review.state) {
    case 'none': // also of a campaign that was opened before anybody had to ask
      return stage <= campaignStages.preparing && t('review.creator.none');
    case 'requested':
      return (
        review.answer_by && t('review.creator.requested', { day: formatDay(language, review.answer_by) })
      );
    case 'changes_requested':
      return t('review.creator.changesText');
    case 'approved':
      return stage === campaignStages.preparing && day
        ? t('review.creator.opens', { day: formatDay(language, day) })
        : t('review.creator.isOpen');
  }
}
