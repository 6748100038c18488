import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isApiError } from '../../api/apiError';
import { useErrorText } from '../../i18n/errorText';

const part = () => Math.random().toString(36).slice(2, 12).padEnd(6, '0');
const newKey = () => `${part()}-${part()}`;

/** Makes one act after the other. A repeat after a failure has the same key, so that it is never done twice. */
export function useActing() {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const key = useRef({ of: '', key: '' });
  const [isActing, setActing] = useState(false);
  const [failure, setFailure] = useState('');
  /** Undefined from a call is that its person has closed a question before it. Gives whether it was done. */
  const act = async (wish: object, call: (key: string) => Promise<unknown>): Promise<boolean> => {
    const of = JSON.stringify(wish);
    if (key.current.of !== of) key.current = { of, key: newKey() };
    setFailure('');
    setActing(true);
    const error = await call(key.current.key);
    setActing(false);
    if (!error) key.current = { of: '', key: '' };
    else if (isApiError(error)) setFailure(`${t('claims.failed')}. ${errorText(error, 'Claims')}`);
    return !error;
  };
  return { act, isActing, failure };
}
