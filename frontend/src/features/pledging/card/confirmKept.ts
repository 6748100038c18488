import type { PublicConfig } from '../../../api/pageData';
import type { Language } from '../../../domain/languages';
import type { CardOutcome } from './outcome';

export interface KeptConfirmation {
  clientSecret: string;
  cardId: string;
  /** Where a bank's page returns to. */
  back: string;
}

/** Charges a card that provider A has kept, with a 3-D Secure challenge on this page if its bank asks for one. */
export async function confirmKept(
  config: PublicConfig,
  language: Language,
  { clientSecret, cardId, back }: KeptConfirmation,
): Promise<CardOutcome> {
  let isSent = false;
  try {
    // With the form's code, which a page without a typed card does not need.
    const [{ openProvider }, { outcomeOf }] = await Promise.all([
      import(/* webpackChunkName: "card-form" */ './stripe'),
      import(/* webpackChunkName: "card-form" */ './outcome'),
    ]);
    const stripe = await openProvider(config, language);
    isSent = true;
    return outcomeOf(
      await stripe.confirmPayment({
        clientSecret,
        confirmParams: { payment_method: cardId, return_url: back },
        redirect: 'if_required',
      }),
    );
  } catch (error) {
    console.warn('confirm payment:', error);
    return isSent ? { kind: 'unclear' } : { kind: 'refused', status: 'configuration_error' };
  }
}
