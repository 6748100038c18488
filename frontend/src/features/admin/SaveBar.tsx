import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/Button';
import { UnsavedGuard } from '../../ui/UnsavedGuard';
import classes from './SaveBar.module.css';

export interface SaveBarProps {
  /** Why it was not saved, or what has changed meanwhile. */
  failure?: ReactNode;
  isChanged: boolean;
  isSaving: boolean;
  saveLabel: string;
  onUndo: () => void;
}

/** The foot of a form whose changes are saved together: why that failed, the way back, and the form's button. */
export function SaveBar({ failure, isChanged, isSaving, saveLabel, onUndo }: SaveBarProps) {
  const { t } = useTranslation();
  return (
    <div className={classes.root}>
      <p role="alert" className={classes.failure}>
        {failure}
      </p>
      {isChanged && (
        <Button variant="transparent" onClick={onUndo}>
          {t('staff.labels.undo')}
        </Button>
      )}
      <Button type="submit" loading={isSaving} disabled={!isChanged}>
        {saveLabel}
      </Button>
      <UnsavedGuard isOn={isChanged} />
    </div>
  );
}
