import { useCallback, useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import type { State } from '../../api/reducer';
import { useLanguage } from '../../i18n';
import { useNotify } from '../../ui/notify';
import { selectUser } from '../../api/session';
import { askAgain, pay } from './flow/effects';
import type { UnderWay } from '../../api/underWay';
import type { Doubt } from './flow/lookUp';
import type { FlowEvent, FlowState } from './flow/machine';
import { makePorts } from './flow/makePorts';
import type { Account, Order } from './flow/order';
import type { CardForm, OwnCardForm } from './flow/ports';
import { happened, opened, selectFlow } from './flow/slice';
import { randomKey, type Submissions } from './flow/submissions';
import { submissionsOf } from './submissionsOf';
import { useAskingAgain, type AskingAgain } from '../../ui/useAskingAgain';
import { readNow } from '../../api/extra';
import { useAppDispatch } from '../../api/useAppDispatch';

/** The submission of a page: its state, and the actions on it. */
export interface Flow {
  state: FlowState;
  pay: (order: Order, account: Account | undefined) => void;
  /** Sends an event to the state machine. */
  report: (event: FlowEvent) => void;
  submissions: Submissions;
  /** The question about what was not answered. */
  asking: AskingAgain;
  /** The ref for the card form on the page. */
  card: RefObject<CardForm | null>;
  /** The ref for our own card fields. */
  ownCard: RefObject<OwnCardForm | null>;
}

/** The submission of this page, from its mounting until it is left. */
export function useFlow(
  campaignId: number,
  isMonthly: boolean,
  dropCard: (cardId: string) => void,
  /** The pledge that is paid, where none is to be made. */
  existing?: string,
): Flow {
  const dispatch = useAppDispatch();
  const { t } = useTranslation();
  const language = useLanguage();
  const notify = useNotify();
  const card = useRef<CardForm>(null);
  const ownCard = useRef<OwnCardForm>(null);
  const [visit] = useState(randomKey);
  const state = useSelector((all: State) => selectFlow(all, visit));
  const who = useSelector((all: State) => selectUser(all)?.user_id);
  const latestWho = useRef(who);
  useLayoutEffect(() => {
    latestWho.current = who;
  });
  const [submissions] = useState(() =>
    submissionsOf(
      campaignId,
      () => latestWho.current,
      () => dispatch(readNow()),
    ),
  );
  const isShown = useRef(true);
  const ports = () =>
    makePorts({
      dispatch,
      language,
      isMonthly,
      submissions,
      card: () => card.current,
      ownCard: () => ownCard.current,
      dropCard,
      existing,
      isShown: () => isShown.current,
      onSession: (how) => notify({ tone: 'success', title: t(`session.${how}Successful`) }),
    });

  // In a layout effect, because the page's other effects may already report events.
  useLayoutEffect(() => {
    isShown.current = true;
    dispatch(opened(visit));
    // A pledge that waits for a sign-in does not go on behind another page.
    return () => {
      isShown.current = false;
      dispatch(happened({ visit, event: { type: 'signInOver' } }));
    };
  }, [dispatch, visit]);
  const report = useCallback(
    (event: FlowEvent) => void dispatch(happened({ visit, event })),
    [dispatch, visit],
  );

  useEffect(() => {
    const lookBack = () => {
      const left = submissions.leftUnderWay(existing);
      if (left) report({ type: 'leftUnderWay', doubt: leftDoubt(left) });
    };
    const onPageShow = ({ persisted }: PageTransitionEvent) => {
      if (!persisted) return;
      report({ type: 'cameBack' });
      lookBack();
    };
    lookBack();
    window.addEventListener('pageshow', onPageShow);
    return () => window.removeEventListener('pageshow', onPageShow);
  }, [report, submissions, existing]);

  const doubt = state.name === 'unknown' ? state.doubt : undefined;
  const asking = useAskingAgain(
    doubt !== undefined,
    () => dispatch(askAgain({ visit, ports: ports() })),
    doubt?.about === 'payment' ? doubt.since : undefined,
  );
  const latestPorts = useRef(ports);
  useEffect(() => {
    latestPorts.current = ports;
  });
  const isLookingUp = state.name === 'lookingUp';
  useEffect(() => {
    if (isLookingUp) void dispatch(askAgain({ visit, ports: latestPorts.current() }));
  }, [isLookingUp, dispatch, visit]);

  return {
    state,
    pay: (order, account) => void dispatch(pay({ visit, order, account, ports: ports() })),
    asking,
    report,
    submissions,
    card,
    ownCard,
  };
}

function leftDoubt({ pledgeId, amount, at }: UnderWay): Doubt {
  return { about: 'payment', pledgeId, amount, since: at };
}
