import { checkoutPayments } from '../../../api/checkoutPayments';
import { readNow } from '../../../api/extra';
import type { AppDispatch } from '../../../api/useAppDispatch';
import type { Language } from '../../../domain/languages';
import { ask, mapped } from './answer';
import type { ProviderB } from './ports';
import { browserInfo } from '../card/own/browserInfo';
import { randomKey } from './submissions';

const { endpoints } = checkoutPayments;

/** The calls of provider B. `back`: the page that a bank's page returns to, of a card or of a debit. */
export function providerB(
  dispatch: AppDispatch,
  language: Language,
  back: (pledgeId: string, isDebit: boolean) => string,
): ProviderB {
  return {
    registration: (pledgeId) =>
      ask(dispatch(endpoints.cardRegistrationData.initiate({ pledgeRef: { pledgeId } }, untracked))),
    finish: (cardRegistrationData) =>
      ask(dispatch(endpoints.finishCardRegistration.initiate({ cardRegistrationData }, untracked))),
    charge: async (charge) => {
      const cardPayIn = {
        ...charge,
        browserInfo: browserInfo(language, dispatch(readNow())),
        secureModeReturnURL: back(charge.pledgeId, false),
      };
      const answer = await ask(
        dispatch(endpoints.cardPayIn.initiate({ cardPayIn, 'Idempotency-Key': randomKey() }, untracked)),
      );
      return mapped(answer, ({ payin }) => payin);
    },
    accounts: async (pledgeId) => {
      const answer = await ask(
        dispatch(
          endpoints.bankAccounts.initiate(
            { pledgeRef: { pledgeId } },
            { forceRefetch: true, subscribe: false },
          ),
        ),
      );
      return mapped(answer, ({ bankAccounts }) => bankAccounts);
    },
    addAccount: async (pledgeId, account) => {
      const newBankAccount = { ...account, pledgeId };
      const answer = await ask(dispatch(endpoints.createBankAccount.initiate({ newBankAccount }, untracked)));
      return mapped(answer, ({ bankAccount }) => bankAccount);
    },
    mandate: async (pledgeId, bankAccountId) => {
      const newMandate = { pledgeId, bankAccountId, language, returnURL: back(pledgeId, true) };
      const answer = await ask(dispatch(endpoints.createMandate.initiate({ newMandate }, untracked)));
      return mapped(answer, ({ mandate }) => mandate);
    },
    debit: (pledgeId, mandateId) => debitBy(dispatch, pledgeId, mandateId),
  };
}

/** What is sent and answered is not kept in the app's store: there are account numbers in it. */
const untracked = { track: false };

/** Debits the account of a mandate. A second page that does the same debits nothing more. */
export async function debitBy(dispatch: AppDispatch, pledgeId: string, mandateId: string) {
  const answer = await ask(
    dispatch(
      endpoints.debitPayIn.initiate(
        { debitPayIn: { pledgeId, mandateId }, 'Idempotency-Key': `debit-${mandateId}` },
        untracked,
      ),
    ),
  );
  return mapped(answer, ({ payin }) => payin);
}
