import { useTranslation } from 'react-i18next';
import type { CampaignPreview } from '../../../api/content';
import { timeLeft } from '../../../domain/timeLeft';
import { useLanguage } from '../../../i18n';
import { formatDay, formatPastDay, timeLeftText } from '../../../i18n/format';
import { Chip, type ChipProps } from '../../../ui/Chip';
import { useNow } from '../../../ui/useNow';
import { ownState, type OwnState } from './groups';
import classes from './MyCampaignsPage.module.css';

const tones: Readonly<Record<OwnState, NonNullable<ChipProps['tone']>>> = {
  draft: 'plain',
  changes: 'cloud',
  review: 'info',
  opening: 'spruce',
  funding: 'spruce',
  monthly: 'spruce',
  succeeded: 'plain',
  notReached: 'plain',
  closed: 'plain',
};

/** A campaign's state, with the date since or until which it has it. */
export function StateChip({ campaign }: { campaign: CampaignPreview }) {
  const { t } = useTranslation();
  const state = ownState(campaign);
  return (
    <p className={classes.state}>
      <Chip tone={campaign.hold ? 'plain' : tones[state]}>{t(`mine.states.${campaign.hold ?? state}`)}</Chip>
      <StateDate campaign={campaign} state={state} />
    </p>
  );
}

function StateDate({ campaign, state }: { campaign: CampaignPreview; state: OwnState }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const now = useNow();
  const { work, funding_deadline: deadline } = campaign;
  const past = (day: string | undefined) => day && formatPastDay(language, day, now);
  switch (state) {
    case 'draft':
      return <span>{work && t('mine.edited', { day: past(work.updated_at) })}</span>;
    case 'changes':
      return <span>{work?.decided_at && t('mine.returned', { day: past(work.decided_at) })}</span>;
    case 'review':
      return <span>{work?.asked_at && t('mine.asked', { day: past(work.asked_at) })}</span>;
    case 'opening':
      return <span>{work?.decided_at && t('mine.approved', { day: past(work.decided_at) })}</span>;
    case 'funding': {
      if (!deadline) return null;
      const left = timeLeftText(timeLeft(new Date(deadline).getTime(), now));
      const words = { left: t(left.key, { count: left.count }), day: formatDay(language, deadline) };
      return <span>{t('mine.until', words)}</span>;
    }
    case 'monthly':
      return null;
    case 'closed': // when, is not told
      return null;
    case 'succeeded':
    case 'notReached':
      return <span>{deadline && t('mine.ended', { day: past(deadline) })}</span>;
  }
}
