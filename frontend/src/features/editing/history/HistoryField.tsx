import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ApiError } from '../../../api/apiError';
import { TextButton } from '../../../ui/TextButton';
import { FieldErrorText } from '../campaign/FieldErrorText';
import classes from './History.module.css';

export interface HistoryFieldProps {
  name: ReactNode;
  /** The field's name as a text, for the name of the button. */
  label?: string;
  /** What was changed, as <del> and <ins>; empty where there is nothing to show. */
  children?: ReactNode;
  /** Reads the value before, which the history leaves out because it is long. */
  onRead?: () => void;
  isReading?: boolean;
  /** Puts the value before back; undefined if that is not done here. */
  onPutBack?: () => void;
  isBusy?: boolean;
  /** The value before is what there is now. */
  isNow?: boolean;
  /** Why the value is not put back here. */
  why?: string;
  error?: ApiError;
}

/** A changed field in a history, with the way back. */
export function HistoryField(props: HistoryFieldProps) {
  const { t } = useTranslation();
  const { name, label, children, onRead, isReading, onPutBack, isBusy, isNow, why, error } = props;
  return (
    <div className={classes.field}>
      <p className={classes.name}>{name}</p>
      {onRead ? (
        <TextButton look="inline" isDisabled={isReading} onPress={onRead}>
          {t('editing.campaign.history.read')}
        </TextButton>
      ) : (
        children
      )}
      {onPutBack && !isNow && (
        <TextButton look="inline" onPress={onPutBack} isDisabled={isBusy}>
          {t('editing.campaign.history.putBack')}
          {label && <span className="tk-visually-hidden">: {label}</span>}
        </TextButton>
      )}
      <FieldErrorText error={error} />
      {isNow && <p className={classes.why}>{t('editing.campaign.history.isNow')}</p>}
      {!onPutBack && !onRead && why && <p className={classes.why}>{why}</p>}
    </div>
  );
}
