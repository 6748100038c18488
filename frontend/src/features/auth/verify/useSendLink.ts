import { useSelector } from 'react-redux';
import { isApiError } from '../../../api/apiError';
import { resolveError } from '../../../api/errors';
import { selectUser } from '../../../api/session';
import { useSendVerificationMutation } from '../../../api/verification';
import { useLanguage } from '../../../i18n';
import { useNotify } from '../../../ui/notify';
import { useTexts } from './texts';

/** Has another link mailed to who is signed in, and says so. */
export function useSendLink() {
  const texts = useTexts();
  const language = useLanguage();
  const notify = useNotify();
  const user = useSelector(selectUser);
  const [send, { isLoading }] = useSendVerificationMutation();
  const sendLink = async () => {
    const { error } = await send();
    if (isApiError(error)) notify({ tone: 'error', title: resolveError(error, language, 'VerifyEmail') });
    else notify({ tone: 'success', title: texts.sent.replace('{{email}}', user?.email ?? '') });
  };
  return { sendLink, isSending: isLoading };
}
