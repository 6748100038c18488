import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isApiError } from '../../../api/apiError';
import {
  useConfirmPayoutBankMutation,
  useEndPayoutBankMutation,
  type Payee,
  type PayoutBank,
} from '../../../api/payees';
import { useLanguage } from '../../../i18n';
import { formatDate } from '../../../i18n/format';
import { Button } from '../../../ui/Button';
import { Chip, type ChipProps } from '../../../ui/Chip';
import { ConfirmDialog } from '../../../ui/ConfirmDialog';
import { ExternalLinkIcon } from '../../../ui/icons';
import { leaveFor } from '../../../ui/leaveFor';
import { useNow } from '../../../ui/useNow';
import { BankIcon } from './BankIcon';
import { BankForm } from './BankForm';
import { Failure } from './Failure';
import { useFailureText } from './useFailureText';
import { useOwnAct } from '../../../ui/useOwnAct';
import classes from './PayoutsPage.module.css';
import { returnAddress } from './payoutsAddress';

export interface BankProps {
  payee: Payee;
  firstName: string;
  lastName: string;
  /** Something has changed, or may have. */
  onChanged: () => void;
}

/** The bank account to which the money goes from the account at the partner. */
export function Bank({ payee, firstName, lastName, onChanged }: BankProps) {
  const { t } = useTranslation();
  // Which was the newest when another one was to be given: the form closes once there is a newer one.
  const [replaced, setReplaced] = useState<string>();
  const banks = payee.banks ?? [];
  const inUse = banks.find(({ state }) => state === 'active');
  const newest = banks[0];
  const waits = newest && (newest.state === 'asking' || newest.state === 'pending') ? newest : undefined;
  const failed = newest && !waits && newest !== inUse ? newest : undefined;
  const isReplacing = newest !== undefined && newest.bank_id === replaced;
  const isFormOpen = isReplacing || (!inUse && !waits);
  return (
    <section aria-labelledby="payout-bank" className={classes.part}>
      <h2 id="payout-bank">{t('payouts.bank.title')}</h2>
      {isFormOpen && !inUse && !failed && <p className={classes.lead}>{t('payouts.bank.lead')}</p>}
      {failed && <p role="status">{t(`payouts.bank.states.${endOf(failed)}`, { account: label(failed) })}</p>}
      <div className={classes.banks}>
        {inUse && <BankRow bank={inUse} isReplaced={waits !== undefined} onChanged={onChanged} />}
        {waits && <BankRow bank={waits} isReplaced={false} onChanged={onChanged} />}
      </div>
      {!isFormOpen && (
        <div className={classes.actions}>
          <Button
            variant={inUse?.has_failed && !waits ? 'filled' : 'outline'}
            onClick={() => setReplaced(newest?.bank_id)}
          >
            {t(waits ? 'payouts.bank.other' : 'payouts.bank.replace')}
          </Button>
          {inUse && !waits && <End bank={inUse} onEnded={onChanged} />}
        </div>
      )}
      {isReplacing && (
        <div className={classes.words}>
          <h3>{t('payouts.bank.new')}</h3>
          <p className={classes.note}>{t('payouts.bank.newText')}</p>
        </div>
      )}
      {isFormOpen && (
        <BankForm
          payee={payee}
          firstName={firstName}
          lastName={lastName}
          onChanged={onChanged}
          onLeave={isReplacing ? () => setReplaced(undefined) : undefined}
        />
      )}
    </section>
  );
}

/** An account as people tell it from others. */
const label = ({ country, last_four: lastFour }: PayoutBank) => `${country} ···· ${lastFour}`;

/** Why the newest account is not the one in use. */
function endOf({ state }: PayoutBank): 'canceled' | 'refused' | 'unmade' | 'ended' {
  return state === 'canceled' || state === 'refused' || state === 'unmade' ? state : 'ended';
}

interface BankRowProps {
  bank: PayoutBank;
  /** Another one waits to take its place. */
  isReplaced: boolean;
  onChanged: () => void;
}

/** A bank account: how it is, and what its owner has to do. */
export function BankRow({ bank, isReplaced, onChanged }: BankRowProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const now = useNow();
  const from = bank.pays_from && Date.parse(bank.pays_from) > now ? bank.pays_from : undefined;
  const is = stateOf(bank, from !== undefined);
  const name = bank.state === 'active' && bank.name_check ? bank.name_check : undefined;
  return (
    <div className={classes.account}>
      <BankIcon size={24} className={classes.icon} />
      <div className={classes.words}>
        <h3 className={classes.name}>{label(bank)}</h3>
        <p className={classes.note} role={bank.state === 'asking' ? 'status' : undefined}>
          {isReplaced
            ? t('payouts.bank.states.replaced')
            : t(`payouts.bank.states.${is}`, { day: from && formatDate(language, from) })}
        </p>
        {name && name !== 'unknown' && (
          <p className={name === 'no_match' ? classes.doubt : classes.note}>
            {t(`payouts.bank.names.${name}`)}
          </p>
        )}
      </div>
      <Chip tone={tones[is]}>{t(`payouts.bank.chips.${is}`)}</Chip>
      {bank.state === 'pending' && <Confirm bank={bank} onChanged={onChanged} />}
    </div>
  );
}

type Shown = 'asking' | 'pending' | 'active' | 'later' | 'failed';

function stateOf(bank: PayoutBank, isLater: boolean): Shown {
  if (bank.state === 'asking' || bank.state === 'pending') return bank.state;
  if (bank.has_failed) return 'failed';
  return isLater ? 'later' : 'active';
}

const tones: Readonly<Record<Shown, NonNullable<ChipProps['tone']>>> = {
  asking: 'info',
  pending: 'cloud',
  active: 'spruce',
  later: 'cloud',
  failed: 'danger',
};

/** Leads to the partner's page on which the owner confirms an account. */
function Confirm({ bank, onChanged }: { bank: PayoutBank; onChanged: () => void }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const failureText = useFailureText();
  const [confirm, { error, isLoading }] = useConfirmPayoutBankMutation();
  const { act } = useOwnAct();
  const go = async () => {
    const answer = await act(() =>
      confirm({ bankId: bank.bank_id, creatorVerification: { returnUrl: returnAddress(language) } }),
    );
    if (answer?.data?.redirectUrl) leaveFor(answer.data.redirectUrl);
    else if (answer?.data) onChanged();
  };
  return (
    <div className={classes.confirm}>
      <Button leftSection={<ExternalLinkIcon size={16} />} loading={isLoading} onClick={() => void go()}>
        {t('payouts.bank.confirm')}
      </Button>
      {isApiError(error) && <Failure>{failureText(error, 'Bank')}</Failure>}
    </div>
  );
}

/** Has nothing more paid to an account. */
function End({ bank, onEnded }: { bank: PayoutBank; onEnded: () => void }) {
  const { t } = useTranslation();
  const failureText = useFailureText();
  const [isAsking, setAsking] = useState(false);
  const [end, { error }] = useEndPayoutBankMutation();
  const { act, isActing } = useOwnAct();
  const go = async () => {
    setAsking(false); // what asks who one is is a dialog, too
    const answer = await act(async () => {
      const { error: failure } = await end({ bankId: bank.bank_id });
      return failure === undefined ? { data: true } : { error: failure };
    });
    if (answer?.data) onEnded();
  };
  return (
    <>
      <Button variant="transparent" loading={isActing} onClick={() => setAsking(true)}>
        {t('payouts.bank.end.open')}
      </Button>
      {isApiError(error) && error.status !== 'confirmation_required' && (
        <Failure>{failureText(error, 'Bank')}</Failure>
      )}
      <ConfirmDialog
        isOpen={isAsking}
        title={t('payouts.bank.end.title', { account: label(bank) })}
        confirmLabel={t('payouts.bank.end.confirm')}
        cancelLabel={t('payouts.bank.end.cancel')}
        onConfirm={() => void go()}
        onCancel={() => setAsking(false)}
      >
        {t('payouts.bank.end.text')}
      </ConfirmDialog>
    </>
  );
}
