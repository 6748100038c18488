import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { isApiError } from '../../api/apiError';
import { useRefusePaymentRemindersMutation } from '../../api/reminders';
import { paths } from '../../domain/paths';
import { useLanguage } from '../../i18n';
import { useErrorText } from '../../i18n/errorText';
import { Button } from '../../ui/Button';
import { useLinkToken } from '../../ui/linkToken';
import { usePageTitle } from '../../ui/usePageTitle';
import classes from './LettersPage.module.css';

/** The target of the link in a reminder that refuses more of them: opening it does nothing, pressing the button does. */
export function Component() {
  const { t } = useTranslation();
  const language = useLanguage();
  const errorText = useErrorText();
  const token = useLinkToken();
  const [refuse, { isLoading, isSuccess }] = useRefusePaymentRemindersMutation();
  const [failure, setFailure] = useState<{ text: string; isInvalid: boolean }>();
  usePageTitle(t('reminders.title'));

  const stop = async () => {
    setFailure(undefined);
    const { error } = await refuse({ token });
    if (!isApiError(error)) return;
    // The token is not one of ours: trying again would not help.
    const isInvalid = error.http === 404 || error.http === 422 || error.http === 400;
    setFailure({ isInvalid, text: isInvalid ? t('reminders.foreign') : errorText(error, 'RemindersPage') });
  };
  const isInvalid = token === '' || failure?.isInvalid;

  return (
    <article className={`tk-container ${classes.root}`}>
      <h1 className="tk-form-title">{t('reminders.title')}</h1>
      <div className={classes.words}>
        {!isSuccess && !isInvalid && <p>{t('reminders.ask')}</p>}
        <div role="status">
          {isSuccess && <p className={classes.done}>{t('reminders.done')}</p>}
          {isInvalid ? <p>{t('reminders.foreign')}</p> : failure && <p>{failure.text}</p>}
        </div>
        {!isInvalid && <p>{t('reminders.still')}</p>}
        {isSuccess || isInvalid ? (
          <Button component={Link} variant="outline" to={paths.home(language)}>
            {t('reminders.home')}
          </Button>
        ) : (
          <Button size="lg" loading={isLoading} onClick={() => void stop()}>
            {t('reminders.stop')}
          </Button>
        )}
      </div>
    </article>
  );
}
