import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isApiError, type ApiError } from '../../../../api/apiError';
import { limitRefusal } from '../../../../api/limitRefusal';
import {
  subscriptionPayments,
  useLookAtSubscriptionLinkQuery,
  type SubscriptionLink,
} from '../../../../api/subscriptionPayments';
import { useAppDispatch } from '../../../../api/useAppDispatch';
import { paths } from '../../../../domain/paths';
import { useLanguage } from '../../../../i18n';
import { useErrorText } from '../../../../i18n/errorText';
import { AppMantineProvider } from '../../../../ui/AppMantineProvider';
import { Button } from '../../../../ui/Button';
import { OverLimit } from '../../../../ui/limit/OverLimit';
import { useLinkToken } from '../../../../ui/linkToken';
import { Unread } from '../../../../ui/Unread';
import { usePageTitle } from '../../../../ui/usePageTitle';
import { slowAfterPolls, usePolling } from '../../../../ui/usePolling';
import { ask, known, mapped } from '../../flow/answer';
import { ownFailure, unchargedFailure } from '../../flow/failures';
import { underWay } from '../../flow/lookUp';
import { useLastDefined } from '../../useLastDefined';
import { CardForm } from '../CardForm';
import { useCardRun, type CardEnd, type CardResult } from '../useCardRun';
import { Expired, Others } from './Others';
import classes from './SupportLink.module.css';
import { isCardForNext, triesAtOnce, useLinkWords } from './useLinkWords';

const calls = subscriptionPayments.endpoints;

/**
 * The target of the links in mails about monthly support. Opening it tells what will happen, and does nothing, because
 * mail servers open links to scan them; the button does it, and does no more.
 */
export function Component() {
  const { t } = useTranslation();
  const token = useLinkToken();
  usePageTitle(t('subscription.pageTitle'));
  return (
    <AppMantineProvider>
      <article className={`tk-container ${classes.root}`}>
        {token ? <LinkView key={token} token={token} /> : <Expired />}
      </article>
    </AppMantineProvider>
  );
}

function LinkView({ token }: { token: string }) {
  const { t } = useTranslation();
  const call = useLookAtSubscriptionLinkQuery({ linkToken: { token } }, { refetchOnMountOrArgChange: true });
  const link = useLastDefined(call.data?.link);
  // Whether it was done here just now, so that a link that had been used before says so.
  const [isDoneNow, setDoneNow] = useState(false);
  // What the provider has confirmed here the service may hear of later: so many looks may still say open.
  const [looks, setLooks] = useState(0);
  const isConfirming = link?.state === 'processing' || (link?.state === 'open' && looks > 0);
  const look = async () => {
    const { data, error } = await call.refetch();
    if (data && !error) setLooks(data.link.state === 'open' ? looks - 1 : 0);
  };
  usePolling(isConfirming, () => void look());

  const [isLeft, setLeft] = useState(false);
  const exceeded = limitRefusal(call.error);
  if (exceeded)
    return (
      <>
        <h1 className="tk-form-title">{t('subscription.pageTitle')}</h1>
        {isLeft ? (
          <p className={classes.text}>{t('supportLink.goneText')}</p>
        ) : (
          <div className={classes.over}>
            <OverLimit
              exceeded={exceeded}
              onRaised={look}
              leaveLabel={t('spendingLimit.leave')}
              onLeave={() => setLeft(true)}
            />
          </div>
        )}
        <Others />
      </>
    );
  if (!link) {
    if (isApiError(call.error) && call.error.http === 410) return <Expired />;
    return <Unread of={call} where="SupportLinkPage" lines={6} />;
  }
  const shown: SubscriptionLink = isConfirming ? { ...link, state: 'processing' } : link;
  const act = { token, link, onDone: () => setDoneNow(true) };
  return (
    <>
      <What link={shown} isDoneNow={isDoneNow} />
      {shown.state === 'open' &&
        (link.act === 'pay' || link.act === 'card' ? (
          <CardAct {...act} onConfirmed={() => setLooks(slowAfterPolls)} />
        ) : (
          <PlainAct {...act} />
        ))}
      <Others />
    </>
  );
}

/** What will happen, or has: in words, with the money and the days. */
function What({ link, isDoneNow }: { link: SubscriptionLink; isDoneNow: boolean }) {
  const { t } = useTranslation();
  const { title, text, facts } = useLinkWords(link);
  return (
    <>
      <div role="status">
        <h1 className="tk-form-title">{title}</h1>
        {text && <p className={classes.text}>{text}</p>}
        {link.state === 'done' && !isDoneNow && <p className={classes.text}>{t('supportLink.already')}</p>}
      </div>
      <dl className={classes.facts}>
        {facts.map(({ label, value }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}

interface ActProps {
  token: string;
  link: SubscriptionLink;
  onDone: () => void;
}

function PlainAct({ token, link, onDone }: ActProps) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const dispatch = useAppDispatch();
  const [isRunning, setRunning] = useState(false);
  const [failure, setFailure] = useState<ApiError>();
  const { button } = useLinkWords(link);
  const exceeded = limitRefusal(failure);
  const act = async () => {
    setRunning(true);
    const { data, error, lost } = await ask(
      dispatch(calls.followSubscriptionLink.initiate({ linkUse: { token } }, { track: false })),
    );
    setRunning(false);
    setFailure(error ?? lost);
    if (data) onDone();
  };
  if (exceeded)
    return (
      <div className={classes.over}>
        <OverLimit
          exceeded={exceeded}
          onRaised={act}
          leaveLabel={t('spendingLimit.leave')}
          onLeave={() => setFailure(undefined)}
        />
      </div>
    );
  return (
    <div className={classes.act}>
      <Button size="lg" loading={isRunning} onClick={() => void act()}>
        {button}
      </Button>
      <div role="alert">{failure && <p>{errorText(failure, 'SupportLinkPage')}</p>}</div>
    </div>
  );
}

interface CardActProps extends ActProps {
  /** The provider has confirmed the payment, and the service does not know of it yet. */
  onConfirmed: () => void;
}

/** The provider's form: it pays the month, or keeps another card. */
function CardAct({ token, link, onDone, onConfirmed }: CardActProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const dispatch = useAppDispatch();
  const cardRun = useCardRun();
  const { button } = useLinkWords(link);

  // Its answer takes the place of what is shown, so that a paid month's form goes away.
  const look = () =>
    ask(
      dispatch(
        calls.lookAtSubscriptionLink.initiate(
          { linkToken: { token } },
          { forceRefetch: true, subscribe: false },
        ),
      ),
    );
  const finishPayment = async (result: CardResult, lost?: ApiError): Promise<CardEnd> => {
    const isOpen = ({ data }: Awaited<ReturnType<typeof look>>) => data?.link.state === 'open';
    let found = await look();
    if (result === 'unclear') {
      if (isOpen(found) && !lost) {
        // What the provider was asked for may still come through.
        await new Promise((resolve) => setTimeout(resolve, underWay));
        found = await look();
      }
      if (found.lost) return { kind: 'unknown' };
      if (found.error) return { kind: 'refused', error: found.error };
      if (isOpen(found)) return { kind: 'refused', error: unchargedFailure(lost).error };
    }
    if (!found.data || isOpen(found)) onConfirmed();
    onDone();
    return { kind: 'done' };
  };
  const submit = () => {
    let intent = '';
    const keepCard = async (lostSetUp: ApiError | undefined): Promise<CardEnd> => {
      // Without a set-up there was nothing that could have been saved.
      if (lostSetUp) return { kind: 'refused', error: known(lostSetUp) };
      const linkUse = { token, setup_intent: intent };
      const { data, error, lost } = await ask(
        dispatch(calls.followSubscriptionLink.initiate({ linkUse }, { track: false })),
      );
      if (lost) return { kind: 'unknown' };
      if (error) return { kind: 'refused', error };
      if (data.link.state === 'open') return { kind: 'refused', error: ownFailure('generic').error };
      onDone();
      return { kind: 'done' };
    };
    return cardRun.run({
      setUp: async () => {
        const answer = await ask(
          dispatch(calls.setupSubscriptionLink.initiate({ linkToken: { token } }, { track: false })),
        );
        // Another tab may have paid it, or a try of ours.
        if (answer.error?.status === 'subscription_not_payable') await look();
        return mapped(answer, ({ intent_id: id, client_secret: clientSecret }) => {
          intent = id;
          return { clientSecret };
        });
      },
      // Cards are confirmed on this page, so nothing returns here; the token is the permission, and not the provider's.
      back: paths.supportLink(language),
      finish: link.act === 'pay' ? finishPayment : (_, lost) => keepCard(lost),
    });
  };

  return (
    <CardForm
      run={cardRun}
      cents={link.amount_minor ?? 0}
      currency={link.currency}
      purpose={link.act === 'pay' ? 'monthly' : 'card'}
      submitLabel={button}
      onSubmit={submit}
      note={t(
        link.act === 'pay' || triesAtOnce(link)
          ? 'subscription.due.bank'
          : isCardForNext(link)
            ? 'subscription.card.fromNext'
            : 'subscription.card.text',
      )}
    />
  );
}
