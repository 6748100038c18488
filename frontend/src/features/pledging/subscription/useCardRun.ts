import { useRef, useState, type RefObject } from 'react';
import type { ApiError } from '../../../api/apiError';
import type { Answer, Refusal } from '../flow/answer';
import { ownFailure, type CardRefusal } from '../flow/failures';
import type { CardForm } from '../flow/ports';
import { useAskingAgain, type AskingAgain } from '../../../ui/useAskingAgain';

/** What a card form has come to. unclear: the answer was lost, so that the server must be asked. */
export type CardResult = 'done' | 'unclear';

/** What is known of it then. unknown: nothing, so it is asked again and nothing else can be done meanwhile. */
export type CardEnd = { kind: 'done' } | { kind: 'refused'; error: Refusal } | { kind: 'unknown' };

/** The calls around the confirmation of a card form. */
export interface CardCalls {
  /** Asks for the client secret. */
  setUp: () => Promise<Answer<{ clientSecret: string }>>;
  /** The path of the page, to which a bank's own page would return. The provider is told it. */
  back: string;
  /** Asks the server what has come of it. `lost`: the set-up was not answered, so that the card was never asked. */
  finish: (result: CardResult, lost?: ApiError) => Promise<CardEnd>;
}

/** A run of a card form that stands alone: the state that is shown, and the run. */
export interface CardRun {
  card: RefObject<CardForm | null>;
  step: 'settingUp' | 'confirming' | undefined;
  failure: Refusal | undefined;
  /** It is not known what came of the last run, which is asked about. */
  isUnknown: boolean;
  asking: AskingAgain;
  /** Checks what is typed, sets up, confirms and finishes. Does nothing while it runs. */
  run: (calls: CardCalls) => Promise<void>;
}

/** Confirms with the provider's card form outside the checkout: for a month that is to be paid, and for another card. */
export function useCardRun(): CardRun {
  const card = useRef<CardForm>(null);
  const isRunning = useRef(false);
  const [step, setStep] = useState<CardRun['step']>();
  const [failure, setFailure] = useState<Refusal>();
  /** Asks about the run that nothing is known of. */
  const [unknown, setUnknown] = useState<() => Promise<CardEnd>>();

  const confirm = async ({ setUp, back, finish }: CardCalls): Promise<CardEnd | 'incomplete'> => {
    const settle = async (result: CardResult, lost?: ApiError) => {
      const end = await finish(result, lost);
      if (end.kind === 'unknown') setUnknown(() => () => finish(result, lost));
      return end;
    };
    const check = (await card.current?.check()) ?? 'unavailable';
    if (check === 'unavailable') return refused('configuration_error');
    if (check === 'incomplete') return 'incomplete';
    setStep('settingUp');
    const { data, error, lost } = await setUp();
    if (lost) return settle('unclear', lost);
    if (error) return { kind: 'refused', error };
    setStep('confirming');
    const outcome = await card.current?.confirm(data.clientSecret, back);
    switch (outcome?.kind) {
      case 'paid':
        return settle('done');
      case 'unclear':
        return settle('unclear');
      case 'refused':
        return refused(outcome.status);
      case 'incomplete':
        return 'incomplete';
      case undefined:
        return refused('configuration_error');
      default:
        return outcome satisfies never;
    }
  };

  const run: CardRun['run'] = async (calls) => {
    if (isRunning.current || unknown) return;
    isRunning.current = true;
    setFailure(undefined);
    try {
      const end = await confirm(calls);
      if (end !== 'incomplete' && end.kind === 'refused') setFailure(end.error);
    } finally {
      isRunning.current = false;
      setStep(undefined);
    }
  };
  const asking = useAskingAgain(unknown !== undefined, async () => {
    const end = await unknown?.();
    if (!end || end.kind === 'unknown') return;
    setUnknown(undefined);
    if (end.kind === 'refused') setFailure(end.error);
  });
  return { card, step, failure, isUnknown: unknown !== undefined, asking, run };
}

const refused = (status: CardRefusal): CardEnd => ({ kind: 'refused', error: ownFailure(status).error });
