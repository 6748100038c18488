import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useLanguage } from '../../i18n';
import { useAccounts, type BankFieldsProps } from './bank/BankFields';
import { failureIn } from './flow/failures';
import { contentOf, type Purchase } from './flow/order';
import type { CardFormStatus } from './flow/ports';
import type { PledgeForm } from './form/values';
import { methods } from './methods';
import { payWords, type PayWords } from './payWords';
import type { Flow } from './useFlow';
import { useMethodChoice, type Gone } from './useMethodChoice';
import { offeredOf, type Offered } from './useOffered';
import { usePaymentCodeLoaded } from './usePaymentCodeLoaded';

export interface CheckoutPaymentOptions {
  flow: Flow;
  form: PledgeForm;
  offered: Offered;
  cardStatus: CardFormStatus;
  /** What is typed would buy. */
  purchase: Purchase;
  hasSum: boolean;
  isSignedIn: boolean;
  isMonthly: boolean;
  /** Nobody can pay to the campaign now; of monthly support only the campaign tells it. */
  isUnpayable: boolean;
  /** YYYY-MM-DD. */
  today: string;
}

/** How the checkout is paid, as its parts show it. */
export interface CheckoutPayment {
  gone: Gone | undefined;
  bank: Omit<BankFieldsProps, 'form' | 'isSignedIn'>;
  words: PayWords;
  /** Everything that paying needs is loaded. */
  isReady: boolean;
  /** The campaign cannot be paid to now: there is no pay button. */
  isImpossible: boolean;
}

/** Puts together what is offered, what is chosen, and how the submission stands. */
export function useCheckoutPayment(options: CheckoutPaymentOptions): CheckoutPayment {
  const { flow, form, offered, cardStatus, purchase, hasSum, isSignedIn, isMonthly, isUnpayable, today } =
    options;
  const { t } = useTranslation();
  const language = useLanguage();
  const { values } = form;
  const { method } = values;
  const isCodeLoaded = usePaymentCodeLoaded(isMonthly);
  const gone = useMethodChoice(form, offered, isMonthly);

  const submission = method === 'bank' ? flow.submissions.current() : undefined;
  // A guest's accounts are those of one pledge; of another order there will be another.
  const hasAccounts = isSignedIn || submission?.content === contentOf(purchase);
  const accounts = useAccounts(hasAccounts ? submission?.pledgeId : undefined, method === 'bank', isSignedIn);
  const failure = failureIn(flow.state);
  const status = failure?.error.status;
  const asked = status === 'choose_account' || status === 'no_account' ? status : undefined;
  const isTakenElsewhere = status === 'payment_method_unsupported' || status === 'configuration_error';
  useAskedAgain(offered, isTakenElsewhere);

  const provider = offeredOf(offered, method)?.provider ?? 'stripe';
  const isKnown = isMonthly || offered.state === 'known';
  const isFormReady = method === '' || methods[method].isReady(provider, cardStatus);
  const chosenAccount = accounts.list.find(({ Id: id }) => id === values.bank_account);
  return {
    gone,
    bank: { accounts, asked },
    words: payWords({
      t,
      language,
      values,
      isMonthly,
      hasSum,
      card: offered.cards.find(({ card_id: id }) => id === values.kept_card)?.label,
      hasMandate: chosenAccount?.has_mandate ?? false,
      today,
    }),
    isReady: isCodeLoaded && isKnown && isFormReady && !accounts.isAsking,
    isImpossible: isMonthly ? isUnpayable : offered.state === 'known' && offered.methods.length === 0,
  };
}

/** Nobody takes the method any longer, or another service does: what is taken is asked, as it is by who comes back to the page. */
function useAskedAgain({ ask }: Offered, isTakenElsewhere: boolean) {
  useEffect(() => {
    if (isTakenElsewhere) ask();
  }, [isTakenElsewhere, ask]);
  useEffect(() => {
    const onSeen = () => {
      if (document.visibilityState === 'visible') ask();
    };
    document.addEventListener('visibilitychange', onSeen);
    return () => document.removeEventListener('visibilitychange', onSeen);
  }, [ask]);
}
