import { http, HttpResponse } from 'msw';
import type {
  BankAccount,
  CardRegistrationAnswer,
  KeptCard,
  MethodsAnswer,
  PayIn,
  PaymentMethod,
} from '../src/api/checkoutPayments';
import { aPayment } from './builders';
import { payments, refusal, server } from './server';

/** A way to pay at provider B. */
export const aMethod = (
  method: PaymentMethod['method'],
  overrides: Partial<PaymentMethod> = {},
): PaymentMethod => ({
  method,
  provider: 'mangopay',
  needs_payer: false,
  ...overrides,
});

/** All that provider B takes. */
export const allOfB = [aMethod('card'), aMethod('bank'), aMethod('page')];

/** A card that its holder has kept. */
export const aKeptCard = (overrides: Partial<KeptCard> = {}): KeptCard => ({
  card_id: 'card_kept',
  provider: 'mangopay',
  label: 'Visa ···· 4242',
  exp_month: 9,
  exp_year: 2029,
  used_at: '2026-09-02T10:00:00Z',
  ...overrides,
});

/** The beginning of a card's registration. */
export const aRegistration = (): CardRegistrationAnswer => ({
  cardRegistration: {
    Id: 'cardreg_1',
    CardRegistrationURL: 'https://tokens.example/webPayment',
    PreregistrationData: 'prepared',
    AccessKey: 'key-1',
    CardType: 'CB_VISA_MASTERCARD',
  },
  authorId: 'user_payer',
  creditedWalletId: 'wlt_campaign',
  payment: aPayment(),
});

/** A pay-in that has succeeded. */
export const aPayIn = (overrides: Partial<PayIn> = {}): PayIn => ({
  Id: 'payin_1',
  Status: 'SUCCEEDED',
  ResultCode: '000000',
  SecureModeNeeded: false,
  ...overrides,
});

/** An account that the provider knows. */
export const anAccount = (overrides: Partial<BankAccount> = {}): BankAccount => ({
  Id: 'acc_1',
  OwnerName: 'Leena Hakkarainen',
  OwnerAddress: { AddressLine1: 'Opintie 14 B 3', City: 'Pielavesi', PostalCode: '72400', Country: 'FI' },
  Details: { IBAN: 'FI•• 5512' },
  has_mandate: false,
  ...overrides,
});

/** Says how the campaign can be paid, until it is said anew. */
export function serveMethods(answer: Partial<MethodsAnswer>) {
  server.use(
    http.get(payments('/api/campaigns/:id/methods'), () =>
      HttpResponse.json({ methods: allOfB, saved_cards: [], ...answer }),
    ),
  );
}

/** What was sent to provider B, by the last part of the call's address. */
export interface SentToB {
  calls: { name: string; body: Record<string, unknown>; key: string | null; orderToken: string | null }[];
  /** What the registration address was sent, as its fields. */
  cards: Record<string, string>[];
  of: (name: string) => Record<string, unknown>[];
}

/** The answers of provider B's calls; a function may refuse or not answer. */
export type AnswersOfB = Partial<Record<string, object | (() => HttpResponse<never> | object)>>;

/** Serves all calls of provider B: everything succeeds, but for what a test says. */
export function serveB(answers: AnswersOfB = {}): SentToB {
  const sent: SentToB = {
    calls: [],
    cards: [],
    of: (name) => sent.calls.filter((call) => call.name === name).map(({ body }) => body),
  };
  const usual: AnswersOfB = {
    'card-registration-data': aRegistration(),
    'finish-card-registration': { cardId: 'card_1', label: 'Visa ···· 1119' },
    payin: { payin: aPayIn(), payment: aPayment({ status: 'succeeded' }) },
    'get-bank-accounts': { bankAccounts: [] },
    'create-bank-account': { bankAccount: anAccount() },
    'create-mandate': { mandate: { Id: 'mdt_1', Status: 'CREATED', RedirectURL: '#bank' } },
    'payin-direct-debit': {
      payin: aPayIn({ Status: 'CREATED', ResultCode: undefined }),
      payment: aPayment({ status: 'processing' }),
    },
  };
  const answerOf = (name: string) => {
    const answer = answers[name] ?? usual[name];
    const given = typeof answer === 'function' ? (answer as () => unknown)() : answer;
    if (given instanceof Response) return given;
    return given === undefined ? refusal('not_found', 404) : HttpResponse.json(given as object);
  };
  server.use(
    http.post(payments('/api/pledges/mangopay/:name'), async ({ request, params }) => {
      const body = (await request.json()) as Record<string, unknown>;
      const { headers } = request;
      const name = String(params.name);
      sent.calls.push({
        name,
        body,
        key: headers.get('Idempotency-Key'),
        orderToken: headers.get('Order-Token'),
      });
      return answerOf(name);
    }),
    http.post('https://tokens.example/webPayment', async ({ request }) => {
      sent.cards.push(Object.fromEntries(new URLSearchParams(await request.text())));
      const answer = answers.registration;
      if (typeof answer === 'function') return (answer as () => HttpResponse<never>)();
      return HttpResponse.text('data=registered');
    }),
  );
  return sent;
}
