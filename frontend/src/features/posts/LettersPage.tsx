import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { isApiError } from '../../api/apiError';
import { useUnsubscribeFromLettersMutation } from '../../api/editing';
import { paths } from '../../domain/paths';
import { useLanguage } from '../../i18n';
import { useErrorText } from '../../i18n/errorText';
import { Button } from '../../ui/Button';
import { useLinkToken } from '../../ui/linkToken';
import { usePageTitle } from '../../ui/usePageTitle';
import classes from './LettersPage.module.css';

/**
 * The target of the unsubscribe link in mailed updates ("letters"). Opening the page does not unsubscribe, pressing
 * the button does, because mail servers open links to scan them.
 */
export function Component() {
  const { t } = useTranslation();
  const language = useLanguage();
  const errorText = useErrorText();
  const token = useLinkToken();
  const [unsubscribe, { isLoading, isSuccess }] = useUnsubscribeFromLettersMutation();
  const [failure, setFailure] = useState<{ text: string; isInvalid: boolean }>();
  usePageTitle(t('letters.title'));

  const stop = async () => {
    setFailure(undefined);
    const { error } = await unsubscribe({ token });
    if (!isApiError(error)) return;
    // The token is not one of ours: trying again would not help.
    const isInvalid = error.http === 404 || error.http === 422 || error.http === 400;
    setFailure({ isInvalid, text: isInvalid ? t('letters.foreign') : errorText(error, 'LettersPage') });
  };
  const isInvalid = token === '' || failure?.isInvalid;

  return (
    <article className={`tk-container ${classes.root}`}>
      <h1 className="tk-form-title">{t('letters.title')}</h1>
      <div className={classes.words}>
        {!isSuccess && !isInvalid && <p>{t('letters.ask')}</p>}
        <div role="status">
          {isSuccess && <p className={classes.done}>{t('letters.done')}</p>}
          {isInvalid ? <p>{t('letters.foreign')}</p> : failure && <p>{failure.text}</p>}
        </div>
        {!isInvalid && <p>{t('letters.still')}</p>}
        {isSuccess && <p>{t('letters.readHere')}</p>}
        {isSuccess || isInvalid ? (
          <Button component={Link} variant="outline" to={paths.home(language)}>
            {t('letters.home')}
          </Button>
        ) : (
          <Button size="lg" loading={isLoading} onClick={() => void stop()}>
            {t('letters.stop')}
          </Button>
        )}
      </div>
    </article>
  );
}
