import type { ComponentType } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { modesOf, type CampaignMode, type Rights } from '../../domain/access';
import { paths, type Named } from '../../domain/paths';
import { useLanguage } from '../../i18n';
import { ChartIcon, PencilIcon, ShieldIcon } from '../editIcons';
import { EyeIcon, type IconProps } from '../icons';
import classes from './ModeSwitch.module.css';

const icons: Readonly<Record<CampaignMode, ComponentType<IconProps>>> = {
  view: EyeIcon,
  edit: PencilIcon,
  overview: ChartIcon,
  review: ShieldIcon,
};

export interface ModeSwitchProps {
  campaign: Named;
  acl: Rights;
  /** The one the reader is in. */
  mode: CampaignMode;
}

/** The modes of a campaign's page. They are links: each has its address, and the back button leads to the one before. */
export function ModeSwitch({ campaign, acl, mode }: ModeSwitchProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  return (
    <nav aria-label={t('mode.label')} className={classes.root}>
      {modesOf(acl).map((one) => {
        const Icon = icons[one];
        return (
          <Link
            key={one}
            to={paths.campaignMode(language, campaign, one)}
            aria-current={one === mode ? 'page' : undefined}
            className={classes.mode}
          >
            <Icon size={16} />
            {t(`mode.${one}`)}
          </Link>
        );
      })}
    </nav>
  );
}
