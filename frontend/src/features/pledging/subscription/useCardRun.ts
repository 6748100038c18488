import { useRef, useState, type RefObject } from 'react';
import type { ApiError } from '../../../api/apiError';
import { ownFailure } from '../flow/failures';
import type { Answer, CardForm } from '../flow/ports';

/** What a card form has come to. unclear: the answer was lost, so that the server must be asked. */
export type CardResult = 'done' | 'unclear';

/** The calls around the confirmation of a card form. */
export interface CardCalls {
  /** Asks for the client secret. */
  setUp: () => Promise<Answer<{ clientSecret: string }>>;
  /** The path of the page, to which a bank's own page would return. The provider is told it. */
  back: string;
  /** Asks the server what has come of it. An error that it resolves to is shown. */
  finish: (result: CardResult) => Promise<ApiError | undefined>;
}

/** A run of a card form that stands alone: the state that is shown, and the run. */
export interface CardRun {
  card: RefObject<CardForm | null>;
  step: 'settingUp' | 'confirming' | undefined;
  failure: ApiError | undefined;
  /** Checks what is typed, sets up, confirms and finishes. Does nothing while it runs. */
  run: (calls: CardCalls) => Promise<void>;
}

/** Confirms with the provider's card form outside the checkout: for a month that is to be paid, and for another card. */
export function useCardRun(): CardRun {
  const card = useRef<CardForm>(null);
  const isRunning = useRef(false);
  const [step, setStep] = useState<CardRun['step']>();
  const [failure, setFailure] = useState<ApiError>();

  const confirm = async ({ setUp, back, finish }: CardCalls): Promise<ApiError | undefined> => {
    const check = (await card.current?.check()) ?? 'unavailable';
    if (check === 'unavailable') return refused('configuration_error');
    if (check === 'incomplete') return undefined;
    setStep('settingUp');
    const { data, error } = await setUp();
    if (error) return error;
    setStep('confirming');
    const outcome = await card.current?.confirm(data.clientSecret, back);
    switch (outcome?.kind) {
      case 'paid':
        return finish('done');
      case 'unclear':
        return finish('unclear');
      case 'refused':
        return refused(outcome.status);
      case 'incomplete':
        return undefined;
      default:
        return refused('configuration_error');
    }
  };

  const run: CardRun['run'] = async (calls) => {
    if (isRunning.current) return;
    isRunning.current = true;
    setFailure(undefined);
    try {
      setFailure(await confirm(calls));
    } finally {
      isRunning.current = false;
      setStep(undefined);
    }
  };
  return { card, step, failure, run };
}

const refused = (status: string) => ownFailure(status).error;
