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
  /** Whose page it is. */
  campaign: Named;
  acl: Rights;
  /** For something other than a campaign: the switch's label, its modes and their addresses. */
  of?: { label: string; modes: readonly CampaignMode[]; pathOf: (mode: CampaignMode) => string };
  /** The current mode. */
  mode: CampaignMode;
}

/** Links to the modes of a page. Each mode has its own address, so the back button works. */
export function ModeSwitch({ campaign, acl, mode, of }: ModeSwitchProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  return (
    <nav aria-label={of?.label ?? t('mode.label')} className={classes.root}>
      {(of?.modes ?? modesOf(acl)).map((one) => {
        const Icon = icons[one];
        return (
          <Link
            key={one}
            to={of?.pathOf(one) ?? paths.campaignMode(language, campaign, one)}
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
