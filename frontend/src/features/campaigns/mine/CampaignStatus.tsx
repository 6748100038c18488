import { useTranslation } from 'react-i18next';
import type { CampaignPreview, CampaignWork } from '../../../api/content';
import { useLanguage } from '../../../i18n';
import { formatDay, formatMoney, formatPercent, formatTime } from '../../../i18n/format';
import { percentOf, stepsOf, supportersOf } from '../rules';
import { StepBars } from '../StepBars';
import { ownState } from './groups';
import classes from './MyCampaignsPage.module.css';

const itemKeys = [
  'title',
  'tagline',
  'story',
  'cover',
  'goal',
  'dates',
  'offer',
  'contact',
  'legal_creator',
  'alt_texts',
  'translations',
  'payment_account',
] as const;

/** A campaign's status in at most two lines: progress of its draft, its review, its opening day, or its money. */
export function CampaignStatus({ campaign }: { campaign: CampaignPreview }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { work } = campaign;
  const money = (amount: number) =>
    formatMoney(language, amount, { cents: false, currency: campaign.currency });
  switch (ownState(campaign)) {
    case 'draft':
    case 'changes':
      return work ? <Checklist work={work} /> : null;
    case 'review':
      return (
        <>
          <p className={classes.strong}>
            {work?.answer_by && t('mine.answerBy', { day: formatDay(language, work.answer_by) })}
          </p>
          <p>{t('mine.stillFix')}</p>
        </>
      );
    case 'opening': {
      const opens = campaign.funding_start;
      const day = opens && { day: formatDay(language, opens), time: formatTime(language, opens) };
      return (
        <>
          <p className={classes.strong}>{day ? t('mine.opensAt', day) : t('mine.opensUnknown')}</p>
          {campaign.likes > 0 && <p>{t('mine.likes', { count: campaign.likes })}</p>}
        </>
      );
    }
    case 'monthly': {
      const count = supportersOf(campaign);
      const total = campaign.subscriptions?.subscriptions_amount_total ?? 0;
      const next =
        campaign.subscriptions &&
        stepsOf(campaign.subscriptions, count).find(({ state }) => state === 'next');
      return (
        <>
          <p>
            <b className={classes.money}>{t('mine.aMonth', { amount: money(total) })}</b>{' '}
            {t('mine.supporters', { count })}
          </p>
          <StepBars campaign={campaign} />
          {next && <p>{t('mine.lacks', { count: next.target - count, goal: next.title })}</p>}
        </>
      );
    }
    default: {
      const { funding_reached: reached, number_of_backers: count } = campaign;
      const percent = formatPercent(language, percentOf(campaign));
      return (
        <p>
          <b className={classes.money}>{money(reached)}</b>{' '}
          {t('mine.result', { percent, backers: t('mine.backers', { count }) })}
        </p>
      );
    }
  }
}

/** How much of the checklist is done, and the next item. */
function Checklist({ work }: { work: CampaignWork }) {
  const { t } = useTranslation();
  const { done, of, notes = 0, notes_mended: mended = 0 } = work;
  const next = itemKeys.find((key) => key === work.next);
  const below =
    notes > 0
      ? [t('mine.notes', { count: notes }), mended > 0 && t('mine.mended', { count: mended })]
          .filter(Boolean)
          .join(', ')
      : next
        ? t('mine.next', { what: t(`mine.items.${next}`) })
        : t('mine.allReady');
  return (
    <>
      <p aria-hidden="true">
        <b>
          {done} / {of}
        </b>{' '}
        {t('mine.ready')}
      </p>
      <div role="img" aria-label={t('mine.readyOf', { done, of })} className={classes.pips}>
        {Array.from({ length: of }, (_, place) => (
          <span key={place} data-done={place < done || undefined} />
        ))}
      </div>
      <p>{below}</p>
    </>
  );
}
