import { useTranslation } from 'react-i18next';
import type { Campaign } from '../../../api/content';
import { foreignLang } from '../../../domain/languages';
import { useLanguage } from '../../../i18n';
import { CircleCheckIcon, ExternalLinkIcon } from '../../../ui/icons';
import { Picture } from '../../../ui/Picture';
import classes from './Creator.module.css';

export interface CreatorProps {
  campaign: Campaign;
}

/** The campaign's creator. */
export function Creator({ campaign }: CreatorProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { creator, meta } = campaign;
  const link = meta.external_link_1;
  const isWeb = link !== undefined && /^https?:\/\//.test(link);
  return (
    <div className={classes.root}>
      <Picture
        name={campaign.creator_pic || creator.image}
        alt=""
        ratio={1}
        widths={[48, 96, 144]}
        sizes="3rem"
        shape="round"
        className={classes.avatar}
      />
      <div className={classes.words}>
        <p className={classes.name}>{creator.name}</p>
        <p className="tk-line" lang={foreignLang(creator.language, language)}>
          {creator.short_description}
        </p>
        {creator.verified && (
          <p className={classes.verified}>
            <CircleCheckIcon size={16} />
            {t('campaignPage.verified')}
          </p>
        )}
        {isWeb && (
          <a href={link} rel="nofollow noopener" className={classes.link}>
            <ExternalLinkIcon size={16} />
            {new URL(link).hostname}
          </a>
        )}
      </div>
    </div>
  );
}
