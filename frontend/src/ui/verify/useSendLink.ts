import { useSelector } from 'react-redux';
import { isApiError } from '../../api/apiError';
import { selectUser } from '../../api/session';
import { useSendVerificationMutation } from '../../api/verification';
import { useErrorText } from '../../i18n/errorText';
import { useNotify } from '../notify';
import { useTexts } from './texts';

/** Sends the signed-in user another confirmation link and shows a notice. */
export function useSendLink() {
  const texts = useTexts();
  const errorText = useErrorText();
  const notify = useNotify();
  const user = useSelector(selectUser);
  const [send, { isLoading }] = useSendVerificationMutation();
  const sendLink = async () => {
    const { error } = await send();
    if (isApiError(error)) notify({ tone: 'error', title: errorText(error, 'VerifyEmail') });
    else notify({ tone: 'success', title: texts.sent.replace('{{email}}', user?.email ?? '') });
  };
  return { sendLink, isSending: isLoading };
}
