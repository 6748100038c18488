import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { Link } from 'react-router-dom';
import { useCampaignsInReviewQuery, type CampaignInReview, type ChangedCampaign } from '../../../api/editing';
import { selectUser } from '../../../api/session';
import { useAppDispatch } from '../../../api/useAppDispatch';
import { foreignLang } from '../../../domain/languages';
import { paths } from '../../../domain/paths';
import { useLanguage } from '../../../i18n';
import { formatDateTime, formatDay } from '../../../i18n/format';
import { Button } from '../../../ui/Button';
import { Chip } from '../../../ui/Chip';
import { EmptyState } from '../../../ui/EmptyState';
import { Picture } from '../../../ui/Picture';
import { askToSignIn } from '../../../ui/signInPrompt';
import { Unread } from '../../../ui/Unread';
import { usePageTitle } from '../../../ui/usePageTitle';
import { reviewListLimit } from './reviewListLimit';
import classes from './ReviewsPage.module.css';

/** The campaigns that wait for a review, longest wait first. */
export function Component() {
  const { t } = useTranslation();
  const dispatch = useAppDispatch();
  const language = useLanguage();
  const user = useSelector(selectUser);
  const call = useCampaignsInReviewQuery({ language, limit: reviewListLimit }, { skip: !user });
  const { currentData } = call;
  usePageTitle(t('review.listTitle'));
  return (
    <div className={`tk-container tk-section ${classes.root}`}>
      <h1 className="tk-form-title">{t('review.listTitle')}</h1>
      {!user && (
        <EmptyState
          title={t('mode.signInFirst')}
          action={
            <Button variant="light" onClick={() => dispatch(askToSignIn())}>
              {t('nav.signIn')}
            </Button>
          }
        />
      )}
      {user && !currentData && <Unread of={call} where="ReviewsPage" lines={6} />}
      {user && currentData?.reviews.length === 0 && currentData.changed.length === 0 && (
        <EmptyState>{t('review.listEmpty')}</EmptyState>
      )}
      {user && currentData && currentData.reviews.length > 0 && (
        <>
          <p className={classes.lead}>{t('review.listText')}</p>
          <ul className={classes.list}>
            {currentData.reviews.map((one) => (
              <Row key={one.campaign.campaign_id} review={one} />
            ))}
          </ul>
        </>
      )}
      {user && currentData && currentData.changed.length > 0 && (
        <>
          <h2 className={classes.changed}>{t('review.listChanged')}</h2>
          <ul className={classes.list}>
            {currentData.changed.map((one) => (
              <Changed key={one.campaign.campaign_id} changed={one} />
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

function Changed({ changed: { campaign, changed_at } }: { changed: ChangedCampaign }) {
  const { t } = useTranslation();
  const language = useLanguage();
  return (
    <ListRow campaign={campaign} act={t('review.look')}>
      <p>{t('review.listChangedAt', { time: formatDateTime(language, changed_at) })}</p>
    </ListRow>
  );
}

function Row({ review }: { review: CampaignInReview }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { campaign, asked_at, asked_by, answer_by, round, barred } = review;
  return (
    <ListRow campaign={campaign} act={t('review.open')}>
      <p>
        {t('review.listAsked', { who: asked_by, time: formatDateTime(language, asked_at) })}
        {' · '}
        {t('review.again', { count: round })}
      </p>
      <p className={classes.by}>
        <Chip tone="info">{t('review.answerBy', { day: formatDay(language, answer_by) })}</Chip>
        {barred && <Chip>{t(`review.own.${barred}`)}</Chip>}
      </p>
    </ListRow>
  );
}

interface ListRowProps {
  campaign: CampaignInReview['campaign'];
  /** What its button says. */
  act: string;
  children: ReactNode;
}

function ListRow({ campaign, act, children }: ListRowProps) {
  const language = useLanguage();
  return (
    <li className={classes.row}>
      <Picture
        name={campaign.project_pic}
        alt=""
        ratio={1.5}
        widths={[132, 264]}
        sizes="8.25rem"
        shape="thumb"
      />
      <div className={classes.words}>
        <h2 lang={foreignLang(campaign.language, language)}>{campaign.title}</h2>
        {children}
      </div>
      <Button
        component={Link}
        to={paths.campaignMode(language, { ...campaign, id: campaign.campaign_id }, 'review')}
        variant="light"
        aria-label={`${act}: ${campaign.title}`}
      >
        {act}
      </Button>
    </li>
  );
}
