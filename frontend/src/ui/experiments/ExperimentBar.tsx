import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Named } from '../../domain/paths';
import { paths } from '../../domain/paths';
import { mayAdminister, type CampaignMode, type Rights } from '../../domain/access';
import { useLanguage } from '../../i18n';
import ModeBar from '../modes/ModeBar';

export interface ExperimentBarProps {
  experiment: { experiment_id: number; slug: string };
  acl: Rights;
  mode: CampaignMode;
  children?: ReactNode;
  end?: ReactNode;
}

/** The bar above an experiment's page for who may edit it: view, edit, and for staff the table of all. */
export default function ExperimentBar({ experiment, acl, mode, children, end }: ExperimentBarProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const named: Named = { id: experiment.experiment_id, slug: experiment.slug };
  const pathOf = (one: CampaignMode) => {
    if (one === 'review') return paths.admin(language, 'experiments');
    return one === 'edit' ? paths.editExperiment(language, named) : paths.experiment(language, named);
  };
  const modes: CampaignMode[] = ['view', 'edit', ...(mayAdminister(acl) ? (['review'] as const) : [])];
  return (
    <ModeBar
      campaign={named}
      acl={acl}
      mode={mode}
      of={{ label: t('experiments.modes'), modes, pathOf }}
      end={end}
    >
      {children}
    </ModeBar>
  );
}
