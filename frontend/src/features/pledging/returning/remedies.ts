/** What helps after a payment that came to nothing; each has a title and a sentence (paymentReturn.remedy). */
export type Remedy =
  'again' | 'raiseLimit' | 'account' | 'otherCard' | 'tomorrow' | 'confirm' | 'mandate' | 'anew' | 'askBank';

/** What did not work, which the title says (paymentReturn.refused). */
export type Refused = 'card' | 'confirmation' | 'mandate' | 'over' | 'canceled' | 'payment';

interface Told {
  what: Refused;
  /** Three at most, the likeliest first. */
  remedies: readonly Remedy[];
}

const limit: Told = { what: 'card', remedies: ['raiseLimit', 'account', 'tomorrow'] };
const card: Told = { what: 'card', remedies: ['otherCard', 'account', 'askBank'] };
const technical: Told = { what: 'payment', remedies: ['again', 'account', 'otherCard'] };
const over: Told = { what: 'over', remedies: ['anew'] };

/** By the keys of the error catalogue; a reason that is not listed is about the card, which the others are then, too. */
const told: Readonly<Record<string, Told | undefined>> = {
  canceled: { what: 'canceled', remedies: [] },
  mandate_not_confirmed: { what: 'mandate', remedies: ['mandate', 'otherCard'] },
  authentication_failed: { what: 'confirmation', remedies: ['confirm', 'otherCard', 'account'] },
  insufficient_funds: { what: 'card', remedies: ['otherCard', 'account', 'tomorrow'] },
  card_limit_reached: limit,
  debit_limit_exceeded: limit,
  amount_limit: limit,
  maximum_number_of_attempts_reached: limit,
  pledge_not_payable: over,
  too_many_declines: over,
  bank_technical_error: technical,
  psp_technical_error: technical,
  psp_configuration_error: technical,
  invalid_transaction_amount: technical,
  configuration_error: technical,
  payment_failed: technical,
  provider_unavailable: technical,
  generic: technical,
};

/** What is told of a payment that came to nothing. `hasAccount`: the campaign takes debits of accounts. */
export function toldOf(status: string, hasAccount: boolean): Told {
  const { what, remedies } = told[status] ?? card;
  return { what, remedies: remedies.filter((one) => one !== 'account' || hasAccount) };
}
