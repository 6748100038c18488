import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { PartName as ReviewedName } from '../../../api/editing';
import { Button } from '../../../ui/Button';
import { InfoIcon, LockIcon } from '../../../ui/icons';
import classes from './Approved.module.css';
import { useEditor } from './useCampaignEditor';
import { partWith, type PartName } from './parts';

/** The parts whose changes can take a campaign back into the queue. */
export type BackPart = Extract<
  ReviewedName,
  'title' | 'legal_creator' | 'goal' | 'funding_rule' | 'dates' | 'goals'
>;

export interface AskBackProps {
  part: BackPart;
  /** What its buttons do; without them there are none. */
  onChange?: () => void;
  onKeep: () => void;
}

/** Says that a part was approved, and asks whether it is to change all the same. */
export function AskBack({ part, onChange, onKeep }: AskBackProps) {
  const { t } = useTranslation();
  return (
    <div className={classes.ask} role="group" aria-label={t(`editing.campaign.approved.was.${part}`)}>
      <InfoIcon size={20} />
      <div>
        <p role="status">
          <strong>
            {t(`editing.campaign.approved.was.${part}`)} {t('editing.campaign.approved.back')}
          </strong>
        </p>
        <p className={classes.detail}>{t('editing.campaign.approved.detail')}</p>
        <div className={classes.acts}>
          {onChange && (
            <Button size="sm" variant="light" onClick={onChange}>
              {t(`editing.campaign.approved.change.${part}`)}
            </Button>
          )}
          <Button size="sm" variant="transparent" onClick={onKeep}>
            {t('editing.campaign.approved.keep')}
          </Button>
        </div>
      </div>
    </div>
  );
}

/** AskBack of parts of the page, where one of them was typed over what staff have approved. */
export function AskHeld({ parts }: { parts: readonly PartName[] }) {
  const { admin, held, agree } = useEditor();
  return parts
    .filter((name) => name in held)
    .map((name) => (
      <AskBack
        key={name}
        part={partWith(admin, name)?.part as BackPart}
        onChange={() => agree(name, true)}
        onKeep={() => agree(name, false)}
      />
    ));
}

/** A value that does not change any more, with the reason. */
export function Fixed({ label, children }: { label: ReactNode; children: ReactNode }) {
  const { t } = useTranslation();
  return (
    <dl className={classes.fixed}>
      <dt>
        <LockIcon size={16} /> {label}
      </dt>
      <dd>{children || t('editing.campaign.approved.none')}</dd>
    </dl>
  );
}
