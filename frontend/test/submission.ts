import { configureStore } from '@reduxjs/toolkit';
import { tabStorage } from '../src/api/deviceStorage';
import { reducer } from '../src/api/reducer';
import { askAgain, pay } from '../src/features/pledging/flow/effects';
import type { FlowState } from '../src/features/pledging/flow/machine';
import type { Account, Order } from '../src/features/pledging/flow/order';
import { failed, type Answer } from '../src/features/pledging/flow/answer';
import { browserMemory } from '../src/features/pledging/flow/browserMemory';
import type { Ports, ProviderB, Registered } from '../src/features/pledging/flow/ports';
import { opened, selectFlow } from '../src/features/pledging/flow/slice';
import { keptSubmissions } from '../src/features/pledging/flow/submissions';
import { aPledge, aUser } from './builders';
import { anAccount, aPayIn, aRegistration } from './providerB';

/** An order of 45 € for a reward. */
export const order: Order = {
  campaignId: 3,
  method: 'card',
  newPledge: { amount: 45, reward_id: 5, pledge_meta: { email: 'a@b.fi', first_name: 'A', last_name: 'B' } },
};
/** The same order with another amount. */
export const other: Order = { ...order, newPledge: { ...order.newPledge, amount: 90 } };
/** A port's answer when a call fails with this status of the error catalogue. */
export const refused = (status: string, http = 409): Answer<never> => failed({ status, http });
/** A port's answer that is lost on its way. */
export const lost = refused('invalid_response', 0);

/**
 * Runs submissions with fake ports that all succeed; a test overrides what matters to it. Records the calls of the
 * ports in order. Waiting only advances the fake clock.
 */
export function aHarness(changes: Partial<Ports> = {}) {
  const calls: string[] = [];
  const open = new Set<() => Promise<void>>();
  let keys = 0;
  let time = 0;
  const ports: Ports = {
    submissions: keptSubmissions(tabStorage, 3, {
      ...browserMemory(
        3,
        () => undefined,
        () => 'random',
        () => time,
      ),
      keyOf: () => `key-${(keys += 1)}`,
    }),
    card: {
      check: () => Promise.resolve('complete'),
      confirm: () => Promise.resolve({ kind: 'paid' }),
    },
    confirmKept: () => Promise.resolve({ kind: 'paid' }),
    ownCard: anOwnCard(),
    providerB: aProviderB(),
    dropCard: (cardId) => void calls.push(`dropCard ${cardId}`),
    openAccount: () => Promise.resolve({ data: aUser() }),
    createPledge: (_order, key) => Promise.resolve({ data: aPledge({ pledge_id: `pledge-of-${key}` }) }),
    releasePledge: () => Promise.resolve({ data: null }),
    setUp: (id) => Promise.resolve({ data: { clientSecret: `secret-of-${id}` } }),
    payment: () => Promise.resolve(refused('not_found', 404)),
    openPage: () => Promise.resolve({ data: { url: 'https://pay.example/1' } }),
    leaveFor: () => undefined,
    wait: (milliseconds) => {
      time += milliseconds;
      return Promise.resolve();
    },
    besides: (ask) => {
      open.add(ask);
      return () => void open.delete(ask);
    },
    now: () => time,
    ...changes,
  };
  const recorded = Object.fromEntries(
    (
      [
        'createPledge',
        'releasePledge',
        'setUp',
        'payment',
        'openPage',
        'leaveFor',
        'wait',
        'openAccount',
        ...(ports.correct ? (['correct'] as const) : []),
      ] as const
    ).map((name) => [
      name,
      (...args: unknown[]) => {
        calls.push(
          `${name} ${String(name === 'createPledge' ? args[1] : name === 'openAccount' ? '' : args[0])}`.trim(),
        );
        return (ports[name] as (...args: unknown[]) => unknown)(...args);
      },
    ]),
  );
  const store = configureStore({ reducer, devTools: false });
  const visit = 'visit';
  store.dispatch(opened(visit));
  return {
    store,
    calls,
    ports,
    state: () => selectFlow(store.getState(), visit),
    askAgain: () => store.dispatch(askAgain({ visit, ports: { ...ports, ...recorded } })),
    /** Asks about whatever a call is open for. Gives how many there are. */
    askBeside: async () => {
      const asked = [...open];
      for (const ask of asked) await ask();
      await new Promise((resolve) => setTimeout(resolve));
      return asked.length;
    },
    press: (what: Order, account?: Account) =>
      void store.dispatch(pay({ visit, order: what, account, ports: { ...ports, ...recorded } })),
  };
}

/** Our own card fields with a card in them that the provider registers. */
export function anOwnCard(): Ports['ownCard'] {
  let kept: Registered | undefined;
  return {
    check: () => 'complete',
    register: () => Promise.resolve({ data: 'data=registered' }),
    registered: () => kept,
    keep: (registered) => void (kept = registered),
    clear: () => void (kept = undefined),
    show: () => undefined,
  };
}

/** Provider B, which takes every card and account; a test overrides what matters to it. */
export function aProviderB(changes: Partial<ProviderB> = {}): ProviderB {
  return {
    registration: () => Promise.resolve({ data: aRegistration() }),
    finish: () => Promise.resolve({ data: { cardId: 'card_1', label: 'Visa ···· 1119' } }),
    charge: () => Promise.resolve({ data: aPayIn() }),
    accounts: () => Promise.resolve({ data: [] }),
    addAccount: () => Promise.resolve({ data: anAccount() }),
    mandate: () =>
      Promise.resolve({ data: { Id: 'mdt_1', Status: 'CREATED', RedirectURL: 'https://bank.example/1' } }),
    debit: () => Promise.resolve({ data: aPayIn({ Status: 'CREATED', ResultCode: undefined }) }),
    ...changes,
  };
}

/** The fake ports with their store and recorded calls. */
export type Harness = ReturnType<typeof aHarness>;

/** Waits until the submission has stopped, succeeded, left the page or become unknown. */
export async function end({ state }: Harness): Promise<FlowState> {
  const isOver = () =>
    ['invalid', 'awaitingCard', 'failed', 'succeeded', 'redirecting', 'unknown'].includes(state().name);
  while (!isOver()) await new Promise((resolve) => setTimeout(resolve));
  return state();
}
