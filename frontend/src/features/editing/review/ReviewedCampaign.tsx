import { Fragment, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useCampaignRewardsQuery, type Campaign } from '../../../api/content';
import type { CampaignAdmin, PartName, ReviewPart } from '../../../api/editing';
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
import { languageNames } from '../languageNames';
import { partName } from './partName';
import { ReviewedReward } from './ReviewedReward';
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
  const rewards = offer.currentData?.rewards ?? [];

  const words = admin.texts[readIn];
  // One without a note of its own is beside the part whose notes are about it, too.
  const small = (part: PublicPart, said: ReactNode, on?: ReviewPart) => {
    const line = (
      <p className="tk-small">
        {partName(t, part)}: {said || t('review.noVideo')}
      </p>
    );
    return on ? <NotedPart {...noted(on)}>{line}</NotedPart> : line;
  };
  const link = (url: string | undefined) =>
    url && (
      <TextLink href={url} isNewTab>
        {url}
      </TextLink>
    );
  const own = (text: string | undefined) => text && <span lang={textLang}>{text}</span>;
  const money = (sum: number) =>
    formatMoney(language, sum, { cents: sum % 1 !== 0, currency: admin.currency });
  const experiment = admin.content_experiment;
  const shown: Record<PublicPart, ReactNode> = {
    category: (
      <NotedPart {...noted('category')}>
        <p className={classes.eyebrow}>{[campaign.category, campaign.place].filter(Boolean).join(' · ')}</p>
      </NotedPart>
    ),
    title: (
      <NotedPart {...noted('title')}>
        <h1 lang={lang}>{campaign.title}</h1>
      </NotedPart>
    ),
    // What every list shows of the campaign.
    tagline: (
      <NotedPart {...noted('tagline')}>
        <p className="tk-lead" lang={textLang}>
          {words?.tagline || t('review.noVideo')}
        </p>
      </NotedPart>
    ),
    short_description: (
      <NotedPart {...noted('short_description')}>
        <p lang={lang}>{campaign.short_description}</p>
      </NotedPart>
    ),
    cover: (
      <NotedPart {...noted('cover')}>
        <VideoPoster
          url={campaign.video_url}
          title={campaign.title}
          poster={
            <Picture
              name={campaign.project_pic}
              alt={words?.project_pic_alt ?? ''}
              ratio={1.6}
              widths={[640, 960, 1552]}
              sizes="(min-width: 68.75em) 54rem, 100vw"
            />
          }
        />
        <p className="tk-small">
          {t('review.changes.alt')}: {own(words?.project_pic_alt) || t('review.noVideo')}
        </p>
      </NotedPart>
    ),
    video: small('video', link(campaign.video_url), 'video'),
    goal: (
      <NotedPart {...noted('goal')}>
        <Fact name={t('review.goalLabel')}>
          <span className={classes.amount}>
            {[...new Set([admin.min_goal, admin.target_goal])]
              .filter((sum) => sum > 0)
              .map(money)
              .join(' – ')}
          </span>
        </Fact>
      </NotedPart>
    ),
    funding_rule: (
      <NotedPart {...noted('funding_rule')}>
        <Fact name={partName(t, 'funding_rule')}>{t(`editing.campaign.money.${admin.funding_rule}`)}</Fact>
      </NotedPart>
    ),
    dates: (
      <NotedPart {...noted('dates')}>
        <Fact name={t(firstDay ? 'review.opensLabel' : 'review.opensWhenApproved')}>
          {firstDay && formatDay(language, firstDay)}
          {lastDay && ` – ${formatDay(language, lastDay)}`}
        </Fact>
      </NotedPart>
    ),
    story: (
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
    ),
    about_creator: small('about_creator', own(words?.about_creator), 'about_creator'),
    custom_texts: small(
      'custom_texts',
      own(admin.custom_language[readIn]?.match_funding?.value),
      'custom_texts',
    ),
    reward: (
      <NotedPart {...noted('rewards')}>
        <h2>
          {t('campaignPage.rewards')} {offer.currentData && formatCount(language, rewards.length)}
        </h2>
        {!offer.currentData && offer.isFetching && <LinesSkeleton lines={4} />}
        {!offer.currentData && !offer.isFetching && offer.error && <ErrorState onRetry={offer.refetch} />}
        <ul className={classes.rewards}>
          {rewards.map((reward) => (
            <li key={reward.reward_id}>
              <ReviewedReward reward={reward} currency={admin.currency} lang={textLang} />
            </li>
          ))}
        </ul>
      </NotedPart>
    ),
    goals: admin.subscriptions_goals.length > 0 && (
      <NotedPart {...noted('goals')}>
        <h2>{t('campaignPage.goals')}</h2>
        <ul className={classes.rewards}>
          {admin.subscriptions_goals.map(({ goal_id, target, texts }) => (
            <li key={goal_id}>
              <p className={classes.amount}>
                {t('review.changes.supporters')} {formatCount(language, target)}
              </p>
              <h3 lang={foreignLang(texts[readIn] ? readIn : 'fi', language)}>
                {(texts[readIn] ?? texts.fi)?.title}
              </h3>
              <p lang={foreignLang(texts[readIn] ? readIn : 'fi', language)}>
                {(texts[readIn] ?? texts.fi)?.description}
              </p>
            </li>
          ))}
        </ul>
      </NotedPart>
    ),
    team: (
      <NotedPart {...noted('team')}>
        <h2>{t('review.parts.team')}</h2>
        <p>{admin.team.map(({ name }) => name).join(', ')}</p>
      </NotedPart>
    ),
    creator: small('creator', admin.team[0]?.name),
    creator_pic: small(
      'creator_pic',
      admin.creator_pic && (
        <Picture name={admin.creator_pic} alt="" ratio={1} widths={[96, 192]} sizes="6rem" shape="thumb" />
      ),
    ),
    legal_creator: small(
      'legal_creator',
      admin.settings.legal_creator &&
        `${admin.settings.legal_creator} (${t(`editing.campaign.contact.${(admin.meta.legal_creator_type as 'person' | undefined) || 'none'}`)})`,
      'legal_creator',
    ),
    contact: small('contact', admin.settings.contact_email, 'contact'),
    link: small('link', link(admin.meta.external_link_1)),
    place: small('place', admin.place),
    tags: small('tags', admin.tags.map(({ label }) => label).join(', '), 'tags'),
    form: small(
      'form',
      `${languageNames[admin.language as Language]} · ${t(admin.opens_as === 6 ? 'review.changes.monthly' : 'review.changes.oneOff')}`,
    ),
    hidden: small(
      'hidden',
      [
        admin.meta.hideFundingAmount && t('editing.campaign.part.hideFundingAmount'),
        admin.meta.hideMemberCount && t('editing.campaign.part.hideMemberCount'),
      ]
        .filter(Boolean)
        .join(' · '),
    ),
    variations: small(
      'variations',
      experiment?.variations.map(({ letter, value }) =>
        experiment.field === 'project_pic' ? (
          <Picture
            key={letter}
            name={value}
            alt=""
            ratio={1.6}
            widths={[192, 384]}
            sizes="12rem"
            shape="thumb"
          />
        ) : (
          <span key={letter} lang={foreignLang(experiment.language ?? '', language)}>
            {letter}: {value}{' '}
          </span>
        ),
      ),
      'variations',
    ),
  };
  const show = (part: PublicPart) => <Fragment key={part}>{shown[part]}</Fragment>;

  return (
    <div className={classes.campaign}>
      {onReread && <ErrorState onRetry={onReread} />}
      {isRead && campaign.language !== readIn && <p role="status">{t('review.noText')}</p>}
      {layout.top.map(show)}
      <div className={classes.figures}>{layout.figures.map(show)}</div>
      {layout.below.map(show)}
    </div>
  );
}

/** What visitors see of a campaign. */
type PublicPart = Exclude<PartName, 'account'>;

/** Where each part is on the page. */
export const layout = {
  top: ['category', 'title', 'tagline', 'short_description', 'cover', 'video'],
  figures: ['goal', 'funding_rule', 'dates'],
  below: [
    'story',
    'custom_texts',
    'reward',
    'goals',
    'team',
    'creator',
    'creator_pic',
    'about_creator',
    'legal_creator',
    'contact',
    'link',
    'place',
    'tags',
    'form',
    'hidden',
    'variations',
  ],
} as const satisfies Record<string, readonly PublicPart[]>;

/** Each fact is a list of its own, because NotedPart's element would be invalid between a <dl> and its <dt>. */
function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <dl className={classes.fact}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </dl>
  );
}
