import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isApiError } from '../../../api/apiError';
import { useVerifyCreatorAccountMutation, type Payee } from '../../../api/payees';
import { useAppDispatch } from '../../../api/useAppDispatch';
import { useLanguage } from '../../../i18n';
import { formatDate } from '../../../i18n/format';
import { Button } from '../../../ui/Button';
import { Chip, type ChipProps } from '../../../ui/Chip';
import { ClockIcon, ExternalLinkIcon, icon } from '../../../ui/icons';
import { leaveFor } from '../../../ui/leaveFor';
import { askToSignIn } from '../../../ui/signInPrompt';
import { Failure } from './Failure';
import { canDo } from './needs';
import { useFailureText } from './useFailureText';
import classes from './PayoutsPage.module.css';
import { returnAddress } from './payoutsAddress';

const BankIcon = icon(
  'BankIcon',
  <path d="M3 21h18M3 10h18M5 6l7-3 7 3M4 10v11m16-11v11M8 14v3m4-3v3m4-3v3" />,
);

const tones: Readonly<Record<Payee['state'], NonNullable<ChipProps['tone']>>> = {
  begun: 'cloud',
  checking: 'info',
  ready: 'spruce',
  restricted: 'danger',
  closed: 'plain',
};

export interface AccountProps {
  payee: Payee;
  /** Who has come back from the partner: the answer may not be known yet. */
  isAsking: boolean;
  /** The account may have changed. */
  onChanged: () => void;
}

/** The account by which one is paid: how it is, and what is missing. */
export function Account({ payee, isAsking, onChanged }: AccountProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const first = payee.state === 'closed' ? undefined : payee.needs.find(canDo);
  return (
    <section aria-labelledby="payout-account" className={classes.part}>
      <h2 id="payout-account">{t('payouts.account.title')}</h2>
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
        <Chip tone={tones[payee.state]}>{t(`payouts.states.${payee.state}.chip`)}</Chip>
      </div>
      <div role="status">
        {isAsking ? (
          <div className={classes.asking}>
            <p className={classes.name}>{t('payouts.back.title')}</p>
            <p className={classes.note}>{t('payouts.back.text')}</p>
          </div>
        ) : (
          <p>{t(`payouts.states.${payee.state}.text`)}</p>
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
              {need === first && <Continue onChanged={onChanged} />}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** Leads to the partner's page of what is missing. */
function Continue({ onChanged }: { onChanged: () => void }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const dispatch = useAppDispatch();
  const failureText = useFailureText();
  const [verify, { data, error, isLoading }] = useVerifyCreatorAccountMutation();
  const [isWaiting, setWaiting] = useState(false);

  const go = async () => {
    setWaiting(false);
    const answer = await verify({ creatorVerification: { returnUrl: returnAddress(language) } });
    if (answer.data?.redirectUrl) {
      leaveFor(answer.data.redirectUrl);
      return;
    }
    if (answer.data) {
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
      {!data && isApiError(error) && <Failure>{failureText(error, 'Account')}</Failure>}
      {isWaiting && (
        <p role="status" className={classes.answer}>
          {t('payouts.account.wait')}
        </p>
      )}
    </>
  );
}
