import { useTranslation } from 'react-i18next';
import { AlertCircleIcon, ClockIcon } from '../../ui/icons';
import { TextButton } from '../../ui/TextButton';
import classes from './MethodNotes.module.css';
import type { Gone } from './useMethodChoice';

/** That what was chosen is not offered any more, once, over the rest. */
export function MethodGone({ gone }: { gone: Gone }) {
  const { t } = useTranslation();
  return (
    <p role="status" className={classes.gone}>
      <AlertCircleIcon />
      <span>
        {'card' in gone
          ? t('pledge.methods.cardGone', { card: gone.card })
          : t(`pledge.methods.gone.${gone.method}`)}
      </span>
    </p>
  );
}

/** That it is not known how this can be paid; it is asked again by itself. */
export function MethodsFailed({ onRetry }: { onRetry: () => void }) {
  const { t } = useTranslation();
  return (
    <p role="status" className={classes.failed}>
      {t('pledge.methods.failed')}{' '}
      <TextButton look="inline" onPress={onRetry}>
        {t('action.retry')}
      </TextButton>
    </p>
  );
}

/** That the campaign cannot be paid to just now, in place of the methods and of the pay button. */
export function NoMethods({ onRetry }: { onRetry: () => void }) {
  const { t } = useTranslation();
  return (
    <div role="status" className={classes.none}>
      <ClockIcon />
      <div>
        <h3 className={classes.title}>{t('pledge.methods.noneTitle')}</h3>
        <p>{t('pledge.methods.noneText')}</p>
        <TextButton look="aside" onPress={onRetry}>
          {t('pledge.methods.askAgain')}
        </TextButton>
      </div>
    </div>
  );
}
