import { useCallback, useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import type { State } from '../../api/reducer';
import { useLanguage } from '../../i18n';
import { useNotify } from '../../ui/notify';
import { pay } from './flow/effects';
import type { FlowEvent, FlowState } from './flow/machine';
import { makePorts } from './flow/makePorts';
import type { Account, Order } from './flow/order';
import type { CardForm } from './flow/ports';
import { happened, opened, selectFlow } from './flow/slice';
import { keptSubmissions, randomKey, type Submissions } from './flow/submissions';
import { useAppDispatch } from '../../api/useAppDispatch';

/** The submission of a page: its state, and the actions on it. */
export interface Flow {
  state: FlowState;
  pay: (order: Order, account: Account | undefined) => void;
  /** Sends an event to the state machine. */
  report: (event: FlowEvent) => void;
  submissions: Submissions;
  /** The ref for the card form on the page. */
  card: RefObject<CardForm | null>;
}

/** The submission of this page, from its mounting until it is left. */
export function useFlow(campaignId: number, isMonthly: boolean): Flow {
  const dispatch = useAppDispatch();
  const { t } = useTranslation();
  const language = useLanguage();
  const notify = useNotify();
  const card = useRef<CardForm>(null);
  const [visit] = useState(randomKey);
  const state = useSelector((all: State) => selectFlow(all, visit));
  const [submissions] = useState(() => keptSubmissions(window.sessionStorage, campaignId, randomKey));

  // In a layout effect, because the page's other effects may already report events.
  useLayoutEffect(() => {
    dispatch(opened(visit));
    // A pledge that waits for a sign-in does not go on behind another page.
    return () => void dispatch(happened({ visit, event: { type: 'signInOver' } }));
  }, [dispatch, visit]);
  const report = useCallback(
    (event: FlowEvent) => void dispatch(happened({ visit, event })),
    [dispatch, visit],
  );

  useEffect(() => {
    const onPageShow = ({ persisted }: PageTransitionEvent) => {
      if (persisted) report({ type: 'cameBack' });
    };
    window.addEventListener('pageshow', onPageShow);
    return () => window.removeEventListener('pageshow', onPageShow);
  }, [report]);

  return {
    state,
    pay: (order, account) => {
      const ports = makePorts({
        dispatch,
        language,
        isMonthly,
        submissions,
        card: () => card.current,
        onSession: (how) => notify({ tone: 'success', title: t(`session.${how}Successful`) }),
      });
      void dispatch(pay({ visit, order, account, ports }));
    },
    report,
    submissions,
    card,
  };
}
