import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import type { Campaign } from '../../../api/content';
import { foreignLang } from '../../../domain/languages';
import { paths } from '../../../domain/paths';
import { useLanguage } from '../../../i18n';
import { CircleCheckIcon, ExternalLinkIcon, MailIcon } from '../../../ui/icons';
import { Button } from '../../../ui/Button';
import { Picture } from '../../../ui/Picture';
import { TextLink } from '../../../ui/TextLink';
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
  const [isWriting, setWriting] = useState(false);
  const mail = campaign.settings.contact_email;
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
        <p className={classes.name}>
          <Link to={paths.profile(language, creator.user_id)}>{creator.name}</Link>
        </p>
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
          <TextLink href={link}>
            <ExternalLinkIcon size={16} />
            {new URL(link).hostname}
          </TextLink>
        )}
        {mail &&
          (isWriting ? (
            <TextLink href={`mailto:${mail}?subject=${encodeURIComponent(campaign.title)}`}>
              <MailIcon size={16} />
              {mail}
            </TextLink>
          ) : (
            <Button
              variant="transparent"
              size="sm"
              className={classes.write}
              onClick={() => setWriting(true)}
            >
              {t('campaignPage.write')}
            </Button>
          ))}
      </div>
    </div>
  );
}
