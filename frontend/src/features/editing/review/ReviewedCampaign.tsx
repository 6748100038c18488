import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useCampaignRewardsQuery, type Campaign } from '../../../api/content';
import type { CampaignAdmin, ReviewPart } from '../../../api/editing';
import { foreignLang, type Language } from '../../../domain/languages';
import { useLanguage } from '../../../i18n';
import { formatCount, formatDay, formatMoney } from '../../../i18n/format';
import { ErrorState } from '../../../ui/ErrorState';
import { Picture } from '../../../ui/Picture';
import { LinesSkeleton } from '../../../ui/Skeletons';
import { VideoPoster } from '../../../ui/video/VideoPoster';
import { TextLink } from '../../../ui/TextLink';
import { NotedPart } from './NotedPart';
import { NotedStory } from './NotedStory';
import classes from './ReviewPage.module.css';
import type { ReviewDraft } from './useReviewDraft';

export interface ReviewedCampaignProps {
  admin: CampaignAdmin;
  /** In the language `readIn`, or in the campaign's own if there are no texts in that one. */
  campaign: Campaign;
  readIn: Language;
  /** The texts in that language have come, or there are none. */
  isRead: boolean;
  /** Reads them again, when they could not be read. */
  onReread?: () => void;
  draft: ReviewDraft;
  mayNote: boolean;
}

/** The page as visitors see it, with notes on each part. */
export function ReviewedCampaign(props: ReviewedCampaignProps) {
  const { admin, campaign, readIn, isRead, onReread, draft, mayNote } = props;
  const { t } = useTranslation();
  const language = useLanguage();
  // Of another language nothing stays: a reviewer would approve texts that nobody has read.
  const offer = useCampaignRewardsQuery({ campaignId: campaign.campaign_id, language: readIn });
  const lang = foreignLang(campaign.language, language);
  const textLang = foreignLang(readIn, language);
  const { notes, open } = draft;
  const all = open ? [...notes.slice(0, open.place), open, ...notes.slice(open.place + 1)] : notes;
  const numbered = all.map((note, place) => ({ ...note, number: place + 1 }));
  const pinsOf = (part: ReviewPart) =>
    numbered.filter((note) => note.part === part && !note.quote).map(({ number }) => number);
  const noted = (part: ReviewPart) => ({
    part,
    pins: pinsOf(part),
    onNote: mayNote ? () => draft.begin(part) : undefined,
  });
  const { first_day_of_funding: firstDay, last_day_of_funding: lastDay } = admin.settings;
  const goal = admin.target_goal || admin.min_goal;
  const rewards = offer.currentData?.rewards ?? [];

  return (
    <div className={classes.campaign}>
      {onReread && <ErrorState onRetry={onReread} />}
      {isRead && campaign.language !== readIn && <p role="status">{t('review.noText')}</p>}
      <NotedPart {...noted('category')}>
        <p className={classes.eyebrow}>{[campaign.category, campaign.place].filter(Boolean).join(' · ')}</p>
      </NotedPart>
      <NotedPart {...noted('title')}>
        <h1 lang={lang}>{campaign.title}</h1>
      </NotedPart>
      <NotedPart {...noted('tagline')}>
        <p className="tk-lead" lang={lang}>
          {campaign.short_description}
        </p>
      </NotedPart>
      <NotedPart {...noted('cover')}>
        <VideoPoster
          url={campaign.video_url}
          title={campaign.title}
          poster={
            <Picture
              name={campaign.project_pic}
              alt={admin.texts[readIn]?.project_pic_alt ?? ''}
              ratio={1.6}
              widths={[640, 960, 1552]}
              sizes="(min-width: 68.75em) 54rem, 100vw"
            />
          }
        />
      </NotedPart>
      <NotedPart {...noted('video')}>
        <p className="tk-small">
          {t('review.parts.video')}:{' '}
          {campaign.video_url ? (
            <TextLink href={campaign.video_url} isNewTab>
              {campaign.video_url}
            </TextLink>
          ) : (
            t('review.noVideo')
          )}
        </p>
      </NotedPart>
      <div className={classes.figures}>
        {goal > 0 && (
          <NotedPart {...noted('goal')}>
            <Fact name={t('review.goalLabel')}>
              <span className={classes.amount}>
                {formatMoney(language, goal, { cents: false, currency: admin.currency })}
              </span>
            </Fact>
          </NotedPart>
        )}
        <NotedPart {...noted('dates')}>
          <Fact name={t(firstDay ? 'review.opensLabel' : 'review.opensWhenApproved')}>
            {firstDay && formatDay(language, firstDay)}
            {lastDay && ` – ${formatDay(language, lastDay)}`}
          </Fact>
        </NotedPart>
        <Fact name={t('review.rewardsLabel', { count: rewards.length })}>
          {offer.currentData && formatCount(language, rewards.length)}
        </Fact>
      </div>
      <div className={classes.story}>
        <NotedStory
          html={campaign.html_description}
          title={campaign.title}
          lang={lang}
          pins={pinsOf('story')}
          quotes={numbered.filter(({ part, quote }) => part === 'story' && quote)}
          onNote={mayNote ? (quote) => draft.begin('story', quote) : undefined}
        />
      </div>
      <NotedPart {...noted('rewards')}>
        <h2>{t('campaignPage.rewards')}</h2>
        {!offer.currentData && offer.isFetching && <LinesSkeleton lines={4} />}
        {!offer.currentData && !offer.isFetching && offer.error && <ErrorState onRetry={offer.refetch} />}
        <ul className={classes.rewards}>
          {rewards.map((reward) => (
            <li key={reward.reward_id}>
              <p className={classes.amount}>
                {formatMoney(language, reward.amount, { cents: false, currency: admin.currency })}
              </p>
              <h3 lang={textLang}>{reward.title}</h3>
              <p lang={textLang}>{reward.description}</p>
            </li>
          ))}
        </ul>
      </NotedPart>
      {admin.subscriptions_goals.length > 0 && (
        <NotedPart {...noted('goals')}>
          <h2>{t('campaignPage.goals')}</h2>
          <ul className={classes.rewards}>
            {admin.subscriptions_goals.map(({ goal_id, target, texts }) => (
              <li key={goal_id}>
                <p className={classes.amount}>
                  {formatMoney(language, target, { cents: false, currency: admin.currency })}
                </p>
                <h3 lang={foreignLang(texts[readIn] ? readIn : 'fi', language)}>
                  {(texts[readIn] ?? texts.fi)?.title}
                </h3>
              </li>
            ))}
          </ul>
        </NotedPart>
      )}
      <NotedPart {...noted('team')}>
        <h2>{t('review.parts.team')}</h2>
        <p>{admin.team.map(({ name }) => name).join(', ')}</p>
      </NotedPart>
      <NotedPart {...noted('contact')}>
        <h2>{t('review.parts.contact')}</h2>
        <p>{[admin.settings.legal_creator, admin.settings.contact_email].filter(Boolean).join(' · ')}</p>
      </NotedPart>
    </div>
  );
}

/** Each fact is a list of its own, because NotedPart's element would be invalid between a <dl> and its <dt>. */
function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <dl className={classes.fact}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </dl>
  );
}
