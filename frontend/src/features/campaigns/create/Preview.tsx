import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import type { CampaignPreview } from '../../../api/content';
import { useOwnProfileQuery } from '../../../api/people';
import { selectUser } from '../../../api/session';
import { fromCents, parseCents } from '../../../domain/amounts';
import { titleSlug } from '../../../domain/slug';
import { campaignStages } from '../../../domain/stages';
import { CampaignCard } from '../CampaignCard';
import classes from './CreateCampaignPage.module.css';
import { typedGoals, type DraftValues } from './values';

export interface PreviewProps {
  values: DraftValues;
  category: string;
  /** The title from which the cover is drawn: that of the last blur event, so that typing does not redraw it. */
  drawnFrom: string;
}

// In characters; the server's limit for the seed in a drawing's file name.
const maxSeedLength = 64;

/** The campaign's card with what is typed so far, as lists will show it. It is inert: its link does not work. */
export function Preview({ values, category, drawnFrom }: PreviewProps) {
  const { t } = useTranslation();
  const user = useSelector(selectUser);
  const { data } = useOwnProfileQuery({}, { skip: !user });
  const isMonthly = values.variant === 'monthly';
  const campaign: CampaignPreview = {
    campaign_id: 0,
    slug: 'draft',
    title: values.title.trim() || t('begin.untitled'),
    tagline: values.tagline.trim(),
    short_description: '',
    project_pic: `scene-${titleSlug(drawnFrom).slice(0, maxSeedLength).replace('_', 'talkoot')}.svg`,
    stage: isMonthly ? campaignStages.recurring : campaignStages.funding,
    category_id: Number(values.category),
    category,
    categories: [],
    tags: [],
    place: values.place,
    currency: 'EUR',
    min_goal: 0,
    target_goal: isMonthly ? 0 : fromCents(parseCents(values.target_goal) ?? 0),
    funding_reached: 0,
    funding_settling: 0,
    number_of_backers: 0,
    hide_funding_amount: false,
    hide_member_count: false,
    creator: {
      user_id: user?.user_id ?? 0,
      name: values.legal_creator.trim() || (user ? `${user.first_name} ${user.last_name}` : t('begin.you')),
      image: data?.profile.image_collection.profile.filename ?? 'avatar-0.svg',
      verified: false,
      short_description: '',
    },
    language: values.language,
    likes: 0,
    ...(isMonthly && {
      subscriptions: {
        subscriptions_amount_total: 0,
        subscriptions_subscribers_count: 0,
        subscriptions_goals: typedGoals(values)
          .filter(({ target }) => /^[1-9]\d*$/.test(target.trim()))
          .map(({ target, title }, place) => ({
            goal_id: place,
            target: Number(target),
            title,
            description: '',
          })),
      },
    }),
  };
  return (
    <div className={classes.preview}>
      <p className={classes.previewTitle}>{t('begin.preview')}</p>
      <div inert>
        <CampaignCard campaign={campaign} isFirst />
      </div>
      <p className={classes.drawn}>{t('begin.drawn')}</p>
    </div>
  );
}
