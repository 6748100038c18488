import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isApiError } from '../../../api/apiError';
import type { Payee } from '../../../api/payees';
import { useAppDispatch } from '../../../api/useAppDispatch';
import { useLanguage } from '../../../i18n';
import { formatDate } from '../../../i18n/format';
import { Button } from '../../../ui/Button';
import { Chip, type ChipProps } from '../../../ui/Chip';
import { ClockIcon, ExternalLinkIcon } from '../../../ui/icons';
import { leaveFor } from '../../../ui/leaveFor';
import { askToSignIn } from '../../../ui/signInPrompt';
import { BankIcon } from './BankIcon';
import { Failure } from './Failure';
import { canDo, isRejected } from './needs';
import { useFailureText } from './useFailureText';
import { usePartner } from './usePartner';
import classes from './PayoutsPage.module.css';

const tones: Readonly<Record<Payee['state'], NonNullable<ChipProps['tone']>>> = {
  begun: 'cloud',
  checking: 'info',
  ready: 'spruce',
  restricted: 'danger',
  closed: 'plain',
};

export interface AccountProps {
  payee: Payee;
  title: string;
  /** Who has come back from the partner: the answer may not be known yet. */
  isAsking: boolean;
  /** The account may have changed. */
  onChanged: () => void;
}

/** The account by which one is paid: how it is, and what is missing. */
export function Account({ payee, title, isAsking, onChanged }: AccountProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const first = payee.state === 'closed' ? undefined : payee.needs.find(canDo);
  const id = `payout-account-${payee.provider}`;
  const state = isRejected(payee) ? 'rejected' : payee.state;
  return (
    <section aria-labelledby={id} className={classes.part}>
      <h2 id={id}>{title}</h2>
      <div className={classes.account}>
        <BankIcon size={24} className={classes.icon} />
        <div>
          <h3 className={classes.name}>{t(`payouts.account.${payee.type}`)}</h3>
          <p className={classes.note}>
            {t('payouts.account.through')}
            {payee.looked_at &&
              ` · ${t('payouts.account.lookedAt', { day: formatDate(language, payee.looked_at) })}`}
          </p>
        </div>
        <Chip tone={state === 'rejected' ? 'danger' : tones[state]}>{t(`payouts.states.${state}.chip`)}</Chip>
      </div>
      <div role="status">
        {isAsking ? (
          <div className={classes.asking}>
            <p className={classes.name}>{t('payouts.back.title')}</p>
            <p className={classes.note}>{t('payouts.back.text')}</p>
          </div>
        ) : (
          <p>{t(textOf(payee, state))}</p>
        )}
      </div>
      {!isAsking && payee.needs.length > 0 && (
        <ul className={classes.rows}>
          {payee.needs.map((need) => (
            <li key={need.code} className={classes.need}>
              <ClockIcon className={classes.waiting} />
              <div>
                <h3 className={classes.name}>{t(`payouts.needs.${need.code}.title`)}</h3>
                <p className={classes.note}>
                  {need.by && `${t('payouts.account.by', { day: formatDate(language, need.by) })} `}
                  {t(`payouts.needs.${need.code}.text`)}
                </p>
              </div>
              {need === first && <Continue payee={payee} onChanged={onChanged} />}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** At provider A campaigns are paid whatever the account is, and only payouts wait for it. */
function textOf({ provider }: Payee, state: Payee['state'] | 'rejected') {
  if (provider === 'stripe' && (state === 'ready' || state === 'restricted'))
    return `payouts.states.${state}.textA` as const;
  return `payouts.states.${state}.text` as const;
}

/** Leads to the partner's page of what is missing. */
function Continue({ payee, onChanged }: { payee: Payee; onChanged: () => void }) {
  const { t } = useTranslation();
  const dispatch = useAppDispatch();
  const failureText = useFailureText();
  const { ask, error, isLoading } = usePartner(payee);
  const [isWaiting, setWaiting] = useState(false);

  const go = async () => {
    setWaiting(false);
    const answer = await ask();
    if (answer.address) {
      leaveFor(answer.address);
      return;
    }
    if (answer.isAnswered) {
      setWaiting(true);
      onChanged();
    }
    if (isApiError(answer.error) && answer.error.http === 401) dispatch(askToSignIn());
  };

  return (
    <>
      <Button leftSection={<ExternalLinkIcon size={16} />} loading={isLoading} onClick={() => void go()}>
        {t('payouts.account.continue')}
      </Button>
      {isApiError(error) && <Failure>{failureText(error, 'Account')}</Failure>}
      {isWaiting && (
        <p role="status" className={classes.answer}>
          {t('payouts.account.wait')}
        </p>
      )}
    </>
  );
}
