import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isLost, type ApiError } from '../../api/apiError';
import { isObject, tabStorage } from '../../api/deviceStorage';
import { personalKeyPrefix } from '../../api/session';
import { useErrorText } from '../../i18n/errorText';

const part = () => Math.random().toString(36).slice(2, 12).padEnd(6, '0');
const newKey = () => `${part()}-${part()}`;

/** The keys of acts that have not been answered yet: a repeat, also after the page was loaded anew, has the same. */
const stored = `${personalKeyPrefix}-claim-acts`;
type Keys = Readonly<Record<string, string>>;
const isKeys = (value: unknown): value is Keys =>
  isObject(value) && Object.values(value).every((key) => typeof key === 'string');

interface Failure {
  text: string;
  /** The version that was shown when no answer came: another one tells what has become of it. */
  lostAt?: number;
}

/**
 * Makes one act after the other about something, which may have versions. A repeat has the same key until there is an answer, so that it is
 * never done twice; a message is the same one whatever version it was written to.
 */
export function useActing(about: string, version = 0) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const [isActing, setActing] = useState(false);
  const [failed, setFailed] = useState<Failure>();
  /** Gives whether it was done. */
  const act = async (wish: object, call: (key: string) => Promise<unknown>): Promise<boolean> => {
    const isMessage = 'act' in wish && wish.act === 'message';
    const of = JSON.stringify([about, isMessage ? 0 : version, wish]);
    const { [of]: before, ...others } = tabStorage.json(stored, isKeys) ?? {};
    const key = before ?? newKey();
    tabStorage.setJson(stored, { ...others, [of]: key });
    setFailed(undefined);
    setActing(true);
    const error = await call(key);
    setActing(false);
    if (error && isLost(error)) {
      setFailed({ text: t('claims.unknown'), lostAt: version });
      return false;
    }
    tabStorage.setJson(stored, others);
    if (error) setFailed({ text: `${t('claims.failed')}. ${errorText(error as ApiError, 'Claims')}` });
    return !error;
  };
  const isTold = failed && (failed.lostAt === undefined || failed.lostAt === version);
  return { act, isActing, failure: isTold ? failed.text : '' };
}
