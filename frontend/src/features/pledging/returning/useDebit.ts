import { useEffect, useRef, useState } from 'react';
import { useAppDispatch } from '../../../api/useAppDispatch';
import type { ApiError } from '../../../api/apiError';
import { debitBy } from '../flow/providerB';
import { resultOf } from '../flow/results';

/** How the debit stands that this page takes to the bank. */
export type DebitState =
  | { name: 'idle' | 'asking' | 'done' }
  /** A key of the error catalogue: nothing is debited. */
  | { name: 'refused'; status: string }
  /** This page may not debit it. */
  | { name: 'failed'; error: ApiError }
  | { name: 'unknown' };

export interface DebitOptions {
  pledgeId: string;
  /** From the address, so the service looks whose it is. Without one nothing is debited. */
  mandateId: string | undefined;
  /** The payment can still be made, and nothing else is known of it. */
  isOpen: boolean;
  onBegin: () => void;
  /** It is known what came of it: the payment is read again. */
  onDone: () => void;
}

/** The pauses before a mandate is asked for again that its bank has not reported yet, in milliseconds. */
const pauses = [1_000, 2_000];

/**
 * Debits the account whose mandate was confirmed, once: a second page or a repeat has the same key and debits nothing more.
 * Call `again` to ask after an answer was lost, when the payment is known to be open still.
 */
export function useDebit(options: DebitOptions): { state: DebitState; again: () => void } {
  const { pledgeId, mandateId, isOpen } = options;
  const dispatch = useAppDispatch();
  const [state, setState] = useState<DebitState>({ name: 'idle' });
  const [tries, setTries] = useState(0);
  const latest = useRef(options);
  useEffect(() => {
    latest.current = options;
  });
  const isDue = isOpen && mandateId !== undefined && state.name === 'idle';
  useEffect(() => {
    if (!isDue) return undefined;
    let isGone = false;
    const debit = async () => {
      const { data, error, lost } = await debitBy(dispatch, pledgeId, mandateId);
      if (isGone) return;
      if (lost) {
        setState({ name: 'unknown' });
        return;
      }
      if (data?.Status === 'FAILED') {
        setState({ name: 'refused', status: resultOf(data.ResultCode).reason });
        return;
      }
      if (!error || error.status === 'pledge_already_paid') {
        setState({ name: 'done' });
        latest.current.onDone();
        return;
      }
      switch (error.status) {
        case 'not_your_order':
          setState({ name: 'failed', error });
          return;
        case 'mandate_not_confirmed':
          if (tries < pauses.length) setTries(tries + 1);
          else setState({ name: 'refused', status: 'mandate_not_confirmed' });
          return;
        default:
          setState({ name: 'refused', status: error.status });
      }
    };
    const begin = () => {
      latest.current.onBegin();
      void debit();
    };
    const timer = setTimeout(begin, tries === 0 ? 0 : pauses[tries - 1]);
    return () => {
      isGone = true;
      clearTimeout(timer);
    };
  }, [dispatch, isDue, mandateId, pledgeId, tries]);
  return {
    state: state.name === 'idle' && isDue ? { name: 'asking' } : state,
    again: () => setState({ name: 'idle' }),
  };
}
