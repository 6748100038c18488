import { useEffect, useRef, useState, useSyncExternalStore, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { startSession } from '../../api/extra';
import { useLanguage } from '../../i18n';
import { useNotify } from '../../ui/notify';
import { makeFlowStore, type FlowStore } from './flow/effects';
import { entered, type FlowState } from './flow/machine';
import { makePorts } from './flow/makePorts';
import type { CardForm } from './flow/ports';
import { useAppDispatch } from './useAppDispatch';
import { keptSubmissions, randomKey, type Submissions } from './flow/submissions';

export interface Flow {
  state: FlowState;
  dispatch: FlowStore['dispatch'];
  submissions: Submissions;
  /** Where the card form on the page puts itself. */
  card: RefObject<CardForm | null>;
}

/** The submission of this page: made with it, gone with it. */
export function useFlow(campaignId: number): Flow {
  const dispatch = useAppDispatch();
  const { t } = useTranslation();
  const notify = useNotify();
  const language = useLanguage();
  const card = useRef<CardForm>(null);
  const latest = useRef({ t, language });
  useEffect(() => {
    latest.current = { t, language };
  }, [t, language]);

  const [{ store, submissions }] = useState(() => {
    const kept = keptSubmissions(window.sessionStorage, campaignId, randomKey);
    const ports = makePorts({
      dispatch,
      submissions: kept,
      language: () => latest.current.language,
      card: () => card.current,
      startSession: (answer, how) => {
        dispatch(startSession(answer));
        notify({ tone: 'success', title: latest.current.t(`session.${how}Successful`) });
      },
    });
    return { store: makeFlowStore(ports), submissions: kept };
  });
  const state = useSyncExternalStore(
    (onChange) => store.subscribe(onChange),
    () => store.getState(),
  );

  useEffect(() => {
    // Back from the hosted page to a page that the browser had kept whole.
    const wakeUp = ({ persisted }: PageTransitionEvent) => {
      if (persisted) store.dispatch(entered({ name: 'idle' }));
    };
    window.addEventListener('pageshow', wakeUp);
    return () => window.removeEventListener('pageshow', wakeUp);
  }, [store]);

  return { state, dispatch: store.dispatch, submissions, card };
}
