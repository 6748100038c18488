import { useTranslation } from 'react-i18next';
import { isApiError } from '../../api/apiError';
import type { Profile } from '../../api/people';
import { useSendVerificationMutation } from '../../api/verification';
import { useLanguage } from '../../i18n';
import { useErrorText } from '../../i18n/errorText';
import { formatDay } from '../../i18n/format';
import { Button } from '../../ui/Button';
import { useNotify } from '../../ui/notify';
import classes from './MailRefused.module.css';

/** Says that the mail server of one's address takes no mail, and what can be done; nothing while it does. */
export function MailRefused({ profile: { email, settings } }: { profile: Profile }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const errorText = useErrorText();
  const notify = useNotify();
  const [send, { isLoading }] = useSendVerificationMutation();
  if (!settings.email_refused_at) return null;

  const trySending = async () => {
    const { error } = await send();
    if (isApiError(error)) notify({ tone: 'error', title: errorText(error, 'MailRefused') });
    else notify({ tone: 'success', title: t('people.me.refused.sent', { email }) });
  };

  return (
    <section aria-labelledby="mail-refused" className={classes.root}>
      <h2 id="mail-refused" className={classes.title}>
        {t('people.me.refused.title')}
      </h2>
      <p className={classes.text}>
        {t('people.me.refused.text', { email, day: formatDay(language, settings.email_refused_at) })}{' '}
        {t(settings.email_confirmed ? 'people.me.refused.confirmed' : 'people.me.refused.unconfirmed')}
      </p>
      <Button variant="light" loading={isLoading} onClick={() => void trySending()}>
        {t(settings.email_confirmed ? 'people.me.refused.again' : 'people.me.refused.link')}
      </Button>
    </section>
  );
}
