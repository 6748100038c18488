import { useEffect, useRef, useState } from 'react';
import type { PledgeForm } from './form/values';
import type { Method } from './methods';
import { offeredOf, type Offered, type Provider } from './useOffered';

/** What was chosen and is no longer offered. */
export type Gone = { method: Exclude<Method, 'kept'> } | { card: string } | { moved: Provider };

/**
 * Keeps the form's choice to what is offered. Only the kept card that was used last is chosen for its holder; what goes
 * while it is chosen is told once, until something else is.
 */
export function useMethodChoice(form: PledgeForm, offered: Offered, isMonthly: boolean): Gone | undefined {
  const { method, kept_card: keptCard } = form.values;
  const [gone, setGone] = useState<Gone>();
  const shown = useRef<Readonly<Record<string, string>>>({});
  const latest = useRef(form);
  useEffect(() => {
    latest.current = form;
  });
  const isTaken = method === '' || offeredOf(offered, method) !== undefined;
  const hasCard = offered.cards.some(({ card_id: id }) => id === keptCard);
  const [first] = offered.cards;
  const isKnown = offered.state === 'known' && !isMonthly;
  useEffect(() => {
    shown.current = {
      ...shown.current,
      ...Object.fromEntries(offered.cards.map(({ card_id: id, label }) => [id, label])),
    };
  }, [offered.cards]);
  const firstId = first?.card_id;
  useEffect(() => {
    const { setValue } = latest.current;
    if (!isKnown) return;
    if (!isTaken) {
      if (method !== 'kept') setGone({ method });
      setValue('method', '');
    } else if (method === 'kept' && !hasCard) {
      const label = shown.current[keptCard];
      if (label !== undefined) setGone({ card: label });
      // Of a draft only that a kept card was chosen is known.
      setValue('method', keptCard === '' && firstId !== undefined ? 'kept' : '');
      setValue('kept_card', keptCard === '' ? (firstId ?? '') : '');
    } else if (method === '' && firstId !== undefined && !gone) {
      setValue('method', 'kept');
      setValue('kept_card', firstId);
    }
  }, [isKnown, isTaken, hasCard, method, keptCard, firstId, gone]);
  const moved = useMoved(isKnown ? offeredOf(offered, method)?.provider : undefined, method);
  return method === '' ? gone : moved;
}

/** That the chosen method is taken by another provider than when it was chosen: what was typed for that one has to be typed anew. */
function useMoved(provider: Provider | undefined, method: Method | ''): Gone | undefined {
  const [first, setFirst] = useState<{ method: Method | ''; provider: Provider }>();
  if (provider !== undefined && first?.method !== method) setFirst({ method, provider });
  const isMoved = provider !== undefined && first?.method === method && first.provider !== provider;
  return isMoved ? { moved: provider } : undefined;
}
