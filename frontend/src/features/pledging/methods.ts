import type { ParseKeys } from 'i18next';
import type { ComponentType } from 'react';
import { CardIcon, ExternalLinkIcon } from '../../ui/icons';
import { BankIcon } from './bank/BankIcon';
import type { CardFormStatus } from './flow/ports';
import type { Provider } from './useOffered';

/** How a pledge is paid: with a card that was kept, one that is typed, a debit of an account, or on a hosted page. */
export type Method = 'kept' | 'card' | 'bank' | 'page';

/** What is shown of a payment method. Its texts `pledge.timeline.charged.*` and its section are asked for by type, too. */
interface ShownMethod {
  Icon: ComponentType;
  label: ParseKeys;
  note: ParseKeys;
  /** The button that leads to it when another method cannot be used. */
  instead: ParseKeys;
  /** Whether Pay can be pressed. If cards are switched off, pressing it says so. */
  isReady: (provider: Provider, card: CardFormStatus) => boolean;
}

const always = () => true;

/** The payment methods. Their steps are in flow/ways.ts, and which of them a campaign takes in useOffered.ts. */
export const methods: Readonly<Record<Method, ShownMethod>> = {
  kept: {
    Icon: CardIcon,
    label: 'pledge.method.kept',
    note: 'pledge.method.cardNote',
    instead: 'pledge.next.payCard',
    isReady: always,
  },
  card: {
    Icon: CardIcon,
    label: 'pledge.method.card',
    note: 'pledge.method.cardNote',
    instead: 'pledge.next.payCard',
    // Our own fields come with the page.
    isReady: (provider, card) => provider === 'mangopay' || card === 'ready' || card === 'off',
  },
  bank: {
    Icon: BankIcon,
    label: 'pledge.method.bank',
    note: 'pledge.method.bankNote',
    instead: 'pledge.next.payBank',
    isReady: always,
  },
  page: {
    Icon: ExternalLinkIcon,
    label: 'pledge.method.page',
    note: 'pledge.method.pageNote',
    instead: 'pledge.next.payPage',
    isReady: always,
  },
};
