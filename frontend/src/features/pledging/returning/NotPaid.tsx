import { useState } from 'react';
import { Trans, useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router-dom';
import { readNow } from '../../../api/extra';
import type { Pledge } from '../../../api/pledging';
import { useAppDispatch } from '../../../api/useAppDispatch';
import { toCents } from '../../../domain/amounts';
import { paths } from '../../../domain/paths';
import { useLanguage } from '../../../i18n';
import { useErrorText } from '../../../i18n/errorText';
import { formatTime } from '../../../i18n/format';
import { Button } from '../../../ui/Button';
import { AlertCircleIcon } from '../../../ui/icons';
import { failureText } from '../failureText';
import { ownFailure, statusOfReturn } from '../flow/failures';
import type { Method } from '../methods';
import { readDraft, saveDraft } from '../storage';
import { offeredOf, useOffered } from '../useOffered';
import type { ReturnOutcome } from './outcome';
import { toldOf } from './remedies';
import { ReturnLayout } from './ReturnLayout';
import classes from './ReturnLayout.module.css';

export interface NotPaidProps {
  pledge: Pledge;
  /** A key of the error catalogue, or 'canceled'. */
  status: string;
  /** Of the payment; undefined when none has begun. */
  number: string | undefined;
}

const none: readonly string[] = [];

/** A payment that came to nothing: why, what helps, and how long what was chosen is kept. Nothing was charged. */
export function NotPaid({ pledge, status, number }: NotPaidProps) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const language = useLanguage();
  const navigate = useNavigate();
  const dispatch = useAppDispatch();
  const [now] = useState(() => dispatch(readNow()));
  const { campaign, campaign_id: campaignId, currency, reward_id: rewardId } = pledge;
  const cents = toCents(pledge.amount);
  const offered = useOffered({ campaignId, cents, currency, isMonthly: false, dropped: none });
  const hasAccount = offeredOf(offered, 'bank') !== undefined;
  const { what, remedies } = toldOf(status, hasAccount);
  const isCanceled = what === 'canceled';
  const isOver = what === 'over';
  const named = { id: campaignId, slug: campaign.slug };
  const form = rewardId ? paths.pledgeReward(language, named, rewardId) : paths.pledge(language, named);
  const state: ReturnOutcome = { notPaid: status };
  const payBy = (method: Method) => {
    saveDraft(campaignId, { ...readDraft(campaignId), method });
    void navigate(form, { replace: true });
  };
  const title = t(`paymentReturn.refused.${what}`);
  const nothing = t('paymentReturn.refused.nothing');
  const until = Date.parse(pledge.reserved_until);
  const why = isCanceled
    ? t('paymentReturn.refused.canceledText')
    : // The title says it once.
      failureText(ownFailure(statusOfReturn(status)), t, errorText)
        .replace(nothing, '')
        .trim();
  return (
    <ReturnLayout
      pledge={pledge}
      tone={isCanceled ? 'asking' : 'refused'}
      icon={<AlertCircleIcon />}
      state={t(isCanceled ? 'paymentReturn.refused.canceledState' : 'paymentReturn.refused.state')}
      title={
        <>
          {title} {nothing}
        </>
      }
      text={
        <>
          {why !== title && why}{' '}
          {until > now && !isOver && (
            <Trans
              i18nKey="paymentReturn.refused.kept"
              values={{ time: formatTime(language, until) }}
              components={{ b: <strong className={classes.until} /> }}
            />
          )}
        </>
      }
      ways={
        <>
          <Button component={Link} to={form} replace state={state} size="lg">
            {t(
              isCanceled
                ? 'paymentReturn.refused.goOn'
                : isOver
                  ? 'paymentReturn.refused.anew'
                  : 'paymentReturn.refused.again',
            )}
          </Button>
          {hasAccount && what !== 'mandate' && !isOver && (
            <Button variant="outline" size="lg" onClick={() => payBy('bank')}>
              {t('pledge.next.payBank')}
            </Button>
          )}
          {what === 'card' || what === 'mandate' ? (
            <Button variant="transparent" size="lg" onClick={() => payBy('card')}>
              {t(what === 'card' ? 'paymentReturn.refused.otherCard' : 'pledge.next.payCard')}
            </Button>
          ) : (
            <Button component={Link} to={paths.campaign(language, named)} variant="transparent" size="lg">
              {t('paymentReturn.debit.back')}
            </Button>
          )}
        </>
      }
      foot={number !== undefined && !isCanceled ? t('paymentReturn.refused.mention', { number }) : undefined}
    >
      {remedies.length > 0 && (
        <ul className={classes.remedies}>
          {remedies.map((one) => (
            <li key={one}>
              <p>{t(`paymentReturn.remedy.${one}.title`)}</p>
              <p>{t(`paymentReturn.remedy.${one}.text`)}</p>
            </li>
          ))}
        </ul>
      )}
    </ReturnLayout>
  );
}
