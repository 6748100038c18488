import { addListener, isAnyOf } from '@reduxjs/toolkit';
import { visitorId, visitSource } from '../../../api/visitor';
import { generatedAccount, type SecondStepAnswer, type TokenAnswer } from '../../../api/account';
import { authFailed } from '../../../api/authEvents';
import { keepOrderToken } from '../../../api/orderTokens';
import { pledging } from '../../../api/pledging';
import { readConfig, readNow, startSession } from '../../../api/extra';
import { hostedPage, paymentsApi } from '../../../api/payments';
import type { State } from '../../../api/reducer';
import { selectUser, type LocalUser } from '../../../api/session';
import type { AppDispatch } from '../../../api/useAppDispatch';
import type { Language } from '../../../domain/languages';
import { paths } from '../../../domain/paths';
import { askToSignIn, closeSignIn } from '../../../ui/signInPrompt';
import { platformDay } from '../../../i18n/format';
import { confirmKept } from '../card/confirmKept';
import { ask, mapped, noAnswer } from './answer';
import { besides } from './besides';
import { monthlyCalls } from './monthlyCalls';
import type { Account } from './order';
import type { CardForm, OwnCardForm, PledgeCalls, Ports } from './ports';
import { providerB } from './providerB';
import type { Submissions } from './submissions';

/** What the ports are made from. */
export interface PortParts {
  dispatch: AppDispatch;
  /** The language of a new account. */
  language: Language;
  /** Monthly support: what is made is a subscription. */
  isMonthly: boolean;
  submissions: Submissions;
  /** The card form on the page, if it is loaded. */
  card: () => CardForm | null;
  /** Our own card fields, if they are on the page. */
  ownCard: () => OwnCardForm | null;
  /** A kept card is offered no longer. */
  dropCard: (cardId: string) => void;
  /** The pledge that is paid, where none is to be made. */
  existing: string | undefined;
  /** Whether the page is still there. */
  isShown: () => boolean;
  /** Called when the backer has signed in or registered during the submission. */
  onSession: (how: 'login' | 'registration') => void;
}

const calls = generatedAccount.endpoints;
const payments = paymentsApi.endpoints;

/** The real side effects: requests, the card form on the page and the browser. */
export function makePorts(parts: PortParts): Ports {
  const {
    dispatch,
    language,
    isMonthly,
    submissions,
    card,
    ownCard,
    dropCard,
    existing,
    isShown,
    onSession,
  } = parts;
  const origin = window.location.origin;
  return {
    submissions,
    card: {
      check: async () => (await card()?.check()) ?? 'unavailable',
      confirm: async (clientSecret, pledgeId) => {
        const back = isMonthly
          ? paths.subscriptionConfirmed(language, pledgeId)
          : paths.returnOf(language, pledgeId);
        const outcome = await card()?.confirm(clientSecret, back);
        return outcome ?? { kind: 'refused', status: 'configuration_error' };
      },
    },
    confirmKept: (clientSecret, pledgeId, cardId) => {
      const back = origin + paths.returnOf(language, pledgeId);
      return confirmKept(dispatch(readConfig()), language, { clientSecret, cardId, back });
    },
    ownCard: {
      check: (content) => ownCard()?.check(content) ?? 'incomplete',
      register: async (registration) => (await ownCard()?.register(registration)) ?? { lost: noAnswer },
      registered: () => ownCard()?.registered(),
      keep: (registered) => ownCard()?.keep(registered),
      clear: () => ownCard()?.clear(),
      show: (faults) => ownCard()?.show(faults),
    },
    providerB: providerB(dispatch, language, (pledgeId, isDebit) => {
      const day = isDebit ? platformDay(dispatch(readNow())) : undefined;
      return origin + paths.returnOf(language, pledgeId, day);
    }),
    dropCard,
    existing,
    openAccount: async (account) => {
      const answer = await ask<TokenAnswer | SecondStepAnswer>(openAccount(dispatch, account, language));
      const { data } = answer;
      if (!data) {
        dispatch(authFailed[account.kind === 'new' ? 'signUp' : 'signIn'](answer.error ?? answer.lost));
        return answer;
      }
      if ('second_step' in data) {
        dispatch(askToSignIn({ prefill: { email: account.email }, secondStep: data.second_step }));
        return { data: await secondStepTaken(dispatch, account.email) };
      }
      dispatch(startSession(data));
      onSession(account.kind === 'new' ? 'registration' : 'login');
      return { data: data.user };
    },
    ...(isMonthly ? monthlyCalls(dispatch) : pledgeCalls(dispatch)),
    openPage: async (pledgeId, by) => {
      const answer = await ask(dispatch(payments.pledgePaymentPage.initiate({ pledgeId, x: by })));
      return mapped(answer, hostedPage);
    },
    leaveFor: (url) => window.location.assign(url),
    wait: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
    besides: (asking) => besides(asking, isShown),
    now: () => dispatch(readNow()),
  };
}

/** The calls about a one-off pledge. */
function pledgeCalls(dispatch: AppDispatch): PledgeCalls {
  return {
    createPledge: async ({ campaignId, newPledge }, key) => {
      const answer = await ask(
        dispatch(
          pledging.endpoints.createPledge.initiate({
            campaignId,
            newPledge: {
              ...newPledge,
              pledge_meta: { ...newPledge.pledge_meta, visitor: visitorId(), source: visitSource() },
            },
            'Idempotency-Key': key,
          }),
        ),
      );
      return mapped(answer, ({ pledge, order_token: token }) => {
        keepOrderToken(pledge.pledge_id, token);
        return pledge;
      });
    },
    releasePledge: (pledgeId) => ask(dispatch(pledging.endpoints.releasePledge.initiate({ pledgeId }))),
    setUp: async (pledgeId, formCard) => {
      const answer = await ask(dispatch(payments.setupPledgePayment.initiate({ pledgeId, formCard })));
      return mapped(answer, ({ stripe, payment }) => ({
        clientSecret: stripe.payment_intent.client_secret,
        wasRefused: payment.failure_code !== undefined,
      }));
    },
    payment: async (pledgeId) => {
      const answer = await ask(
        dispatch(payments.pledgePayment.initiate({ pledgeId }, { forceRefetch: true, subscribe: false })),
      );
      return mapped(answer, ({ payment }) => payment);
    },
  };
}

/** Waits until the dialog is closed or a sign-in is refused. Resolves to the person, if it is the account's. */
function secondStepTaken(dispatch: AppDispatch, email: string): Promise<LocalUser | undefined> {
  return new Promise((resolve) => {
    dispatch(
      addListener({
        matcher: isAnyOf(closeSignIn, authFailed.signIn, authFailed.signUp),
        effect: async (_, api) => {
          api.unsubscribe();
          await api.delay(0); // The dialog closes just before the session begins.
          const user = selectUser(api.getState() as State);
          resolve(user?.email.toLowerCase() === email.toLowerCase() ? user : undefined);
        },
      }),
    );
  });
}

function openAccount(dispatch: AppDispatch, account: Account, language: Language) {
  const { email, password } = account;
  return account.kind === 'existing'
    ? dispatch(calls.signIn.initiate({ credentials: { email, password } }))
    : dispatch(
        calls.register.initiate({
          registration: {
            email,
            password,
            first_name: account.first_name,
            last_name: account.last_name,
            language,
          },
        }),
      );
}
