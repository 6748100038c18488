import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import type { Campaign } from '../../../api/content';
import { paths } from '../../../domain/paths';
import { useLanguage } from '../../../i18n';
import { Button } from '../../../ui/Button';
import { Picture } from '../../../ui/Picture';
import { ShareButton } from '../../../ui/ShareButton';
import classes from './ThanksPage.module.css';

export interface PlainThanksProps {
  campaign: Campaign;
  /** A sentence. */
  children: ReactNode;
}

/** Thanks for visitors without a pledge in this tab, such as from a bookmark or on another device. */
export function PlainThanks({ campaign, children }: PlainThanksProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const named = { id: campaign.campaign_id, slug: campaign.slug };
  return (
    <div className={`tk-container ${classes.page} ${classes.top}`}>
      <div className={classes.words}>
        <h1>{t('thanks.plainTitle')}</h1>
        <p className={`tk-lead ${classes.lead}`}>{children}</p>
        <div className={classes.ways}>
          <ShareButton title={campaign.title} path={paths.campaign(language, named)} size="lg">
            {t('thanks.share')}
          </ShareButton>
          <Button component={Link} to={paths.campaign(language, named)} variant="outline" size="lg">
            {t('thanks.back')}
          </Button>
        </div>
      </div>
      <Picture
        name={campaign.project_pic}
        alt=""
        ratio={16 / 10}
        widths={[480, 960]}
        sizes="(max-width: 56.24em) 100vw, 29.5rem"
        isFirst
      />
    </div>
  );
}
