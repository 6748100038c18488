import type { CardRegistration } from '../../../../api/checkoutPayments';
import { noAnswer, type Answer } from '../../flow/answer';
import { digitsOf, expiryOf, plainCard, type TypedCard } from './checkCard';

/**
 * Sends a card to the provider and nowhere else. What it answers is handed on whole: `data=…`, or `errorCode=…`. A plain
 * form, so that the browser asks nobody before; without credentials, and the provider is not told the page.
 */
export async function registerCard(
  { CardRegistrationURL, PreregistrationData, AccessKey }: CardRegistration,
  card: TypedCard,
): Promise<Answer<string>> {
  try {
    const answer = await fetch(CardRegistrationURL, {
      method: 'POST',
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      body: new URLSearchParams({
        data: PreregistrationData,
        accessKeyRef: AccessKey,
        cardNumber: digitsOf(card.number),
        cardExpirationDate: expiryOf(card),
        cardCvx: plainCard(card).cvc,
      }),
    });
    const text = (await answer.text()).trim();
    return answer.ok && /^(data|errorCode)=/.test(text) ? { data: text } : { lost: noAnswer };
  } catch {
    // What was thrown is not looked at: it may hold what was sent.
    return { lost: noAnswer };
  }
}
