import { useRef, useState, type RefObject } from 'react';
import type { ApiError } from '../../../api/apiError';
import { ownFailure } from '../flow/failures';
import type { Answer, CardForm } from '../flow/ports';

/** What a card form has come to. unclear: the answer was lost, so that the server must be asked. */
export type CardResult = 'done' | 'unclear' | undefined;

/** A run of a card form that stands alone: the state that is shown, and the run. */
export interface CardRun {
  card: RefObject<CardForm | null>;
  step: 'settingUp' | 'confirming' | undefined;
  failure: ApiError | undefined;
  fail: (error: ApiError) => void;
  /** Checks what is typed, asks for the client secret and confirms with it. Undefined: it failed, and says why. */
  run: (setUp: () => Promise<Answer<{ clientSecret: string }>>, back: string) => Promise<CardResult>;
}

/** Confirms with the provider's card form outside the checkout: for a month that is to be paid, and for another card. */
export function useCardRun(): CardRun {
  const card = useRef<CardForm>(null);
  const [step, setStep] = useState<CardRun['step']>();
  const [failure, setFailure] = useState<ApiError>();
  const refuse = (status: string) => setFailure(ownFailure(status).error);

  const run: CardRun['run'] = async (setUp, back) => {
    if (step) return undefined;
    setFailure(undefined);
    const check = (await card.current?.check()) ?? 'unavailable';
    if (check === 'unavailable') refuse('configuration_error');
    if (check !== 'complete') return undefined;
    setStep('settingUp');
    try {
      const { data, error } = await setUp();
      if (error) {
        setFailure(error);
        return undefined;
      }
      setStep('confirming');
      const outcome = await card.current?.confirm(data.clientSecret, back);
      switch (outcome?.kind) {
        case 'paid':
          return 'done';
        case 'unclear':
          return 'unclear';
        case 'refused':
          refuse(outcome.status);
          return undefined;
        case 'incomplete':
          return undefined;
        default:
          refuse('configuration_error');
          return undefined;
      }
    } finally {
      setStep(undefined);
    }
  };
  return { card, step, failure, fail: setFailure, run };
}
