import { useTranslation } from 'react-i18next';
import { isApiError } from '../../../api/apiError';
import { useOpenStripeDashboardMutation, type Payee } from '../../../api/payees';
import { Button } from '../../../ui/Button';
import { ExternalLinkIcon } from '../../../ui/icons';
import { leaveFor } from '../../../ui/leaveFor';
import { BankRow } from './Bank';
import { Failure } from './Failure';
import { useFailureText } from './useFailureText';
import { useOwnAct } from '../../../ui/useOwnAct';
import classes from './PayoutsPage.module.css';

export interface PartnerBankProps {
  payee: Payee;
  /** Something has changed, or may have. */
  onChanged: () => void;
}

/** The bank account that one has given the partner, and changes there. Nothing is shown before there is one. */
export function PartnerBank({ payee, onChanged }: PartnerBankProps) {
  const { t } = useTranslation();
  const failureText = useFailureText();
  const [open, { error }] = useOpenStripeDashboardMutation();
  const { act, isActing } = useOwnAct();
  const bank = payee.banks?.find(({ state }) => state === 'active');
  if (!bank) return null;
  const go = async () => {
    const answer = await act(() => open({ id: payee.account_id }));
    const address = answer?.data?.stripeAccountLink.url;
    if (address) leaveFor(address);
    else if (answer?.data) onChanged();
  };
  return (
    <section aria-labelledby="partner-bank" className={classes.part}>
      <h2 id="partner-bank">{t('payouts.bank.titleThere')}</h2>
      <p className={classes.note}>{t('payouts.bank.there')}</p>
      <div className={classes.banks}>
        <BankRow bank={bank} isReplaced={false} onChanged={onChanged} />
      </div>
      <div className={classes.actions}>
        <Button
          variant={bank.has_failed ? 'filled' : 'outline'}
          leftSection={<ExternalLinkIcon size={16} />}
          loading={isActing}
          onClick={() => void go()}
        >
          {t('payouts.bank.changeThere')}
        </Button>
      </div>
      {isApiError(error) && error.status !== 'confirmation_required' && (
        <Failure>{failureText(error, 'PartnerBank')}</Failure>
      )}
    </section>
  );
}
