import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import type { ClaimRow } from '../../api/claims';
import { paths } from '../../domain/paths';
import { useLanguage } from '../../i18n';
import { formatMoney, formatPastDay, formatWeekday } from '../../i18n/format';
import { Chip } from '../Chip';
import { useNow } from '../useNow';
import classes from './Claims.module.css';
import { lastDay } from './days';
import { tones, useClaimWords } from './words';

/** Claims as rows: whose and about what, and whom each waits for until when. */
export function ClaimList({ claims }: { claims: readonly ClaimRow[] }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const words = useClaimWords();
  const now = useNow();
  return (
    <ol className={classes.rows}>
      {claims.map((claim) => (
        <li key={claim.claim_id}>
          <div>
            <Link to={paths.claim(language, claim.claim_id)}>
              {t(`claims.of.${claim.kind}`, { name: claim.backer || t('claims.by.backer') })}
            </Link>
            <p className={classes.small}>
              {claim.campaign_title} ·{' '}
              {formatMoney(language, claim.amount, { cents: true, currency: claim.currency })} ·{' '}
              {claim.reference} · {formatPastDay(language, claim.made_at, now)}
            </p>
          </div>
          <div>
            <Chip tone={tones[claim.state]}>{words.chip(claim.state, false)}</Chip>
            {claim.due_at && claim.state !== 'decided' && (
              <p className={classes.small}>{formatWeekday(language, lastDay(claim.due_at))}</p>
            )}
          </div>
        </li>
      ))}
    </ol>
  );
}
