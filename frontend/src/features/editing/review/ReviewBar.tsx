import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import type { Campaign } from '../../../api/content';
import { useCampaignsInReviewQuery, type CampaignAdmin } from '../../../api/editing';
import { foreignLang, languages, type Language } from '../../../domain/languages';
import { paths } from '../../../domain/paths';
import { useLanguage } from '../../../i18n';
import { formatDateTime } from '../../../i18n/format';
import { ChevronLeftIcon, ChevronRightIcon } from '../../../ui/editIcons';
import { IconButton } from '../../../ui/IconButton';
import ModeBar from '../../../ui/modes/ModeBar';
import { Segments } from '../../../ui/Segments';
import { languageNames } from '../languageNames';
import classes from './ReviewBar.module.css';
import { reviewListLimit } from './reviewListLimit';

export interface ReviewBarProps {
  campaign: Campaign;
  admin?: CampaignAdmin;
  readIn: Language;
  onReadIn: (language: Language) => void;
}

/** The bar of review mode: position in the list, links to its neighbours, who asked for the review, and language. */
export function ReviewBar({ campaign, admin, readIn, onReadIn }: ReviewBarProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { data } = useCampaignsInReviewQuery({ language, limit: reviewListLimit });
  const waiting = data?.reviews ?? [];
  const place = waiting.findIndex((one) => one.campaign.campaign_id === campaign.campaign_id);
  const here = waiting[place];
  return (
    <ModeBar
      campaign={{ ...campaign, id: campaign.campaign_id }}
      acl={campaign.acl}
      mode="review"
      end={
        <>
          <span aria-hidden="true">{t('review.readIn')}</span>
          <Segments
            label={t('review.readIn')}
            isSmall
            value={readIn}
            onChange={onReadIn}
            segments={languages.map((value) => ({
              value,
              label: languageNames[value],
              lang: foreignLang(value, language),
            }))}
          />
        </>
      }
    >
      <span className={classes.list}>
        <Link to={paths.reviews(language)}>{t('review.listTitle')}</Link>
        {here && (
          <>
            <span>{t('review.place', { place: place + 1, total: data?.total ?? waiting.length })}</span>
            <Beside which="before" campaign={waiting[place - 1]?.campaign} />
            <Beside which="after" campaign={waiting[place + 1]?.campaign} />
          </>
        )}
      </span>
      {here && admin && (
        <span className={classes.asked}>
          {t('review.asked', { who: here.asked_by, time: formatDateTime(language, here.asked_at) })}
        </span>
      )}
    </ModeBar>
  );
}

interface BesideProps {
  which: 'before' | 'after';
  /** Undefined at the ends of the list: then there is no button. */
  campaign?: { campaign_id: number; slug: string; title: string };
}

function Beside({ which, campaign }: BesideProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  if (!campaign) return null;
  return (
    <IconButton
      component={Link}
      to={paths.campaignMode(language, { ...campaign, id: campaign.campaign_id }, 'review')}
      look="tool"
      label={t(`review.${which}`, { title: campaign.title })}
      icon={which === 'before' ? <ChevronLeftIcon /> : <ChevronRightIcon />}
    />
  );
}
