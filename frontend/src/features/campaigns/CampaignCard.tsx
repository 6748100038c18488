import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useViewTransitionState } from 'react-router-dom';
import type { CampaignPreview } from '../../api/content';
import { foreignLang } from '../../domain/languages';
import { paths } from '../../domain/paths';
import { useLanguage } from '../../i18n';
import { CardTitle } from '../../ui/CardTitle';
import { isMotionReduced } from '../../ui/motion';
import { Picture } from '../../ui/Picture';
import classes from './CampaignCard.module.css';
import { CardFacts } from './CardFacts';
import { namedOf } from './named';

export interface CampaignCardProps {
  campaign: CampaignPreview;
  /** The level of its heading. */
  level?: 2 | 3;
  /** Near the top of the page: its cover is loaded eagerly. */
  isFirst?: boolean;
  /** Marks words in the title and the tagline. */
  mark?: (text: string) => ReactNode;
}

/** A campaign in a list: cover, progress, title and creator. The whole card is one link. */
export function CampaignCard({ campaign, level = 3, isFirst, mark }: CampaignCardProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const to = paths.campaign(language, namedOf(campaign));
  const lang = foreignLang(campaign.language, language);
  const isOpening = useViewTransitionState(to);

  return (
    <article className={classes.root}>
      <div className={classes.cover}>
        <Picture
          name={campaign.project_pic}
          alt=""
          ratio={1.6}
          widths={[400, 640, 800]}
          sizes="(min-width: 68.75em) 24rem, (min-width: 40em) 46vw, calc(100vw - 2.5rem)"
          isFirst={isFirst}
          style={isOpening ? { viewTransitionName: 'tk-cover' } : undefined}
        />
      </div>
      <CardFacts campaign={campaign} />
      <CardTitle
        to={to}
        level={level}
        lang={lang}
        viewTransition={!isMotionReduced()}
        className={classes.title}
      >
        {mark ? mark(campaign.title) : campaign.title}
      </CardTitle>
      <p className={classes.tagline} lang={lang}>
        {mark ? mark(campaign.tagline) : campaign.tagline}
      </p>
      <p className={classes.foot}>
        <Picture
          name={campaign.creator.image}
          alt=""
          ratio={1}
          widths={[48, 96]}
          sizes="1.5rem"
          shape="round"
          className={classes.avatar}
        />
        <span className="tk-visually-hidden">{t('campaign.by')} </span>
        <span className={classes.creator}>{campaign.creator.name}</span>
        <span className={classes.category}>{campaign.category}</span>
      </p>
    </article>
  );
}
