import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isApiError } from '../../api/apiError';
import { useAskOrderLinksMutation } from '../../api/pledging';
import { all, email, required } from '../../domain/rules';
import { useLanguage } from '../../i18n';
import { useErrorText } from '../../i18n/errorText';
import { Button } from '../Button';
import { TextField } from '../fields';
import { MailIcon } from '../icons';
import { useAppForm } from '../useAppForm';
import classes from './AskLinks.module.css';

/**
 * Mails the links to what an address supports without an account. What is said is the same whether there is anything.
 * Aside: beside a more important act.
 */
export function AskLinks({ isAside = false }: { isAside?: boolean }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const errorText = useErrorText();
  const [askLinks] = useAskOrderLinksMutation();
  const [sentTo, setSentTo] = useState<string>();
  const form = useAppForm<{ email: string }>({
    initialValues: { email: '' },
    rules: { email: all(required, email) },
    onSubmit: async ({ email: typed }) => {
      const address = typed.trim();
      const { error } = await askLinks({ orderLinksRequest: { email: address, language } });
      if (isApiError(error)) form.showFailure(error, errorText(error, 'AskLinks'), 'email');
      else setSentTo(address);
    },
  });
  return (
    <div className={classes.root} role="status">
      {sentTo === undefined ? (
        <form {...form.formProps} className={classes.form}>
          <TextField
            label={t('orderLinks.email')}
            type="email"
            autoComplete="email"
            {...form.field('email')}
          />
          <Button
            type="submit"
            size="lg"
            fullWidth
            variant={isAside ? 'light' : 'filled'}
            loading={form.isSubmitting}
            leftSection={<MailIcon size={20} />}
          >
            {t('orderLinks.send')}
          </Button>
        </form>
      ) : (
        <div className={classes.form}>
          <p className={classes.sent}>{t('orderLinks.sent')}</p>
          <p className={classes.note}>{t('orderLinks.sentTo', { email: sentTo })}</p>
          <Button variant="outline" onClick={() => setSentTo(undefined)}>
            {t('orderLinks.other')}
          </Button>
        </div>
      )}
    </div>
  );
}
