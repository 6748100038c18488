import type { ParseKeys } from 'i18next';
import type { ComponentType } from 'react';
import { CardIcon, ExternalLinkIcon } from '../../ui/icons';
import type { Method } from './flow/order';
import type { CardFormStatus } from './flow/ports';

/** What is shown of a payment method. Its texts `pledge.timeline.charged.*` and its section are asked for by type, too. */
interface ShownMethod {
  Icon: ComponentType;
  label: ParseKeys;
  note: ParseKeys;
  /** The button that leads to it when another method cannot be used. */
  instead: ParseKeys;
  /** Whether Pay can be pressed. If cards are switched off, pressing it says so. */
  isReady: (card: CardFormStatus) => boolean;
}

/** The payment methods in the order in which they are offered. Their steps are in flow/ways.ts. */
export const methods: Readonly<Record<Method, ShownMethod>> = {
  card: {
    Icon: CardIcon,
    label: 'pledge.method.card',
    note: 'pledge.method.cardNote',
    instead: 'pledge.next.payCard',
    isReady: (card) => card === 'ready' || card === 'off',
  },
  page: {
    Icon: ExternalLinkIcon,
    label: 'pledge.method.page',
    note: 'pledge.method.pageNote',
    instead: 'pledge.next.payPage',
    isReady: () => true,
  },
};

export const allMethods = Object.keys(methods) as readonly Method[];
