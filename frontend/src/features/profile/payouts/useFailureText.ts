import { useTranslation } from 'react-i18next';
import { useErrorText, type ErrorText } from '../../../i18n/errorText';

/** The text of a refusal about an account. That the partner is not in use is told to payers in other words. */
export function useFailureText(): ErrorText {
  const { t } = useTranslation();
  const errorText = useErrorText();
  return (error, where) =>
    error.status === 'configuration_error' ? t('payouts.providerOff') : errorText(error, where);
}
