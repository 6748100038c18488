import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { Link } from 'react-router-dom';
import { isApiError } from '../../../api/apiError';
import { selectUser } from '../../../api/session';
import { useConfirmEmailMutation } from '../../../api/verification';
import { paths } from '../../../domain/paths';
import { useLanguage } from '../../../i18n';
import { useErrorText } from '../../../i18n/errorText';
import { Button } from '../../../ui/Button';
import { useLinkToken } from '../../../ui/linkToken';
import { usePageTitle } from '../../../ui/usePageTitle';
import { useTexts } from './texts';
import { useSendLink } from './useSendLink';
import classes from './VerifyEmailPage.module.css';

/**
 * The target of the link in the confirmation mail. Opening the page does not confirm the address, pressing the button
 * does, because mail servers open links to scan them.
 */
export function Component() {
  const { t } = useTranslation();
  const texts = useTexts();
  const errorText = useErrorText();
  const language = useLanguage();
  const user = useSelector(selectUser);
  const token = useLinkToken();
  const [confirmEmail, { isLoading, isSuccess }] = useConfirmEmailMutation();
  const [refused, setRefused] = useState<{ text: string; isExpired: boolean }>();
  const { sendLink, isSending } = useSendLink();
  usePageTitle(t('auth.verifyTitle'));

  const confirm = async () => {
    setRefused(undefined);
    const { error } = await confirmEmail({ emailLink: { token } });
    if (isApiError(error)) {
      const text = errorText(error, 'VerifyEmailPage');
      setRefused({ text, isExpired: error.status === 'email_link_expired' });
    }
  };

  const canConfirm = token !== '' && !isSuccess && !refused?.isExpired;
  return (
    <article className="tk-container tk-section">
      <h1 className={`tk-form-title ${classes.title}`}>{t('auth.verifyTitle')}</h1>
      <div className={classes.words}>
        <div role="status">
          {isSuccess && <p>{texts.done}</p>}
          {refused && (
            <p>
              {refused.text} {refused.isExpired && texts.already}
            </p>
          )}
        </div>
        {token === '' && <p>{texts.noLink}</p>}
        {canConfirm && !refused && <p>{texts.ask}</p>}
        {canConfirm && (
          <Button size="lg" loading={isLoading} onClick={() => void confirm()}>
            {texts.confirm}
          </Button>
        )}
        {refused?.isExpired &&
          (user ? (
            <Button variant="outline" loading={isSending} onClick={() => void sendLink()}>
              {texts.again}
            </Button>
          ) : (
            <p>{texts.signIn}</p>
          ))}
        {!canConfirm && (
          <Button component={Link} variant="outline" to={paths.home(language)}>
            {texts.home}
          </Button>
        )}
      </div>
    </article>
  );
}
