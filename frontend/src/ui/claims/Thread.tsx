import { useTranslation } from 'react-i18next';
import type { Claim, ClaimMessage } from '../../api/claims';
import { useLanguage } from '../../i18n';
import { formatDateTime, formatDay, formatMoney } from '../../i18n/format';
import classes from './Claims.module.css';

interface ThreadProps {
  claim: Claim;
  /** Whose side the reader is on. */
  reader: ClaimMessage['by'];
  /** The backer's name, for the other side. */
  backer?: string;
}

/** What was said and done, in its order; both sides see the same. */
export function Thread({ claim, reader, backer }: ThreadProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const nameOf = (by: ClaimMessage['by']) =>
    by === reader ? t('claims.by.you') : by === 'backer' && backer ? backer : t(`claims.by.${by}`);
  const whatOf = ({ act, amount, day }: ClaimMessage) =>
    t(`claims.did.${act === 'decide' && amount === undefined ? 'nothing' : act}`, {
      amount: formatMoney(language, amount ?? 0, { cents: true, currency: claim.currency }),
      day: day && formatDay(language, day),
    });
  return (
    <ol className={classes.thread}>
      {claim.messages.map((message) => (
        <li key={message.id}>
          <p className={classes.small}>
            <b>{nameOf(message.by)}</b> {formatDateTime(language, message.at)}
            {message.act !== 'message' && <> · {whatOf(message)}</>}
          </p>
          {message.text && <p className={classes.said}>{message.text}</p>}
          {message.tracking && (
            <p className={classes.small}>{t('claims.tracking', { code: message.tracking })}</p>
          )}
        </li>
      ))}
    </ol>
  );
}
