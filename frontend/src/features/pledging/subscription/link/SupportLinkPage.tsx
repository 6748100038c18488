import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { isApiError, type ApiError } from '../../../../api/apiError';
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
import { ErrorState } from '../../../../ui/ErrorState';
import { useLinkToken } from '../../../../ui/linkToken';
import { LinesSkeleton } from '../../../../ui/Skeletons';
import { usePageTitle } from '../../../../ui/usePageTitle';
import { usePolling } from '../../../../ui/usePolling';
import { ask } from '../../flow/ask';
import { useLastDefined } from '../../useLastDefined';
import { CardForm } from '../CardForm';
import { useCardRun } from '../useCardRun';
import classes from './SupportLink.module.css';
import { useLinkWords } from './useLinkWords';

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
  const errorText = useErrorText();
  const call = useLookAtSubscriptionLinkQuery({ linkToken: { token } }, { refetchOnMountOrArgChange: true });
  const link = useLastDefined(call.data?.link);
  // Whether it was done here just now, so that a link that had been used before says so.
  const [isDoneNow, setDoneNow] = useState(false);
  const look = () => call.refetch();
  usePolling(link?.state === 'processing', () => void look());

  if (!link) {
    if (!call.error) return <LinesSkeleton lines={6} />;
    if (isApiError(call.error) && call.error.http === 410) return <Expired />;
    return (
      <ErrorState onRetry={() => void look()}>
        {isApiError(call.error) && errorText(call.error, 'SupportLinkPage')}
      </ErrorState>
    );
  }
  const act = { token, link, onDone: () => setDoneNow(true) };
  return (
    <>
      <What link={link} isDoneNow={isDoneNow} />
      {link.state === 'open' &&
        (link.act === 'pay' || link.act === 'card' ? <CardAct {...act} /> : <PlainAct {...act} />)}
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
  const errorText = useErrorText();
  const dispatch = useAppDispatch();
  const [isRunning, setRunning] = useState(false);
  const [failure, setFailure] = useState<ApiError>();
  const { button } = useLinkWords(link);
  const act = async () => {
    setRunning(true);
    const { data, error } = await ask(
      dispatch(calls.useSubscriptionLink.initiate({ linkUse: { token } }, { track: false })),
    );
    setRunning(false);
    setFailure(error);
    if (data) onDone();
  };
  return (
    <div className={classes.act}>
      <Button size="lg" loading={isRunning} onClick={() => void act()}>
        {button}
      </Button>
      <div role="alert">{failure && <p>{errorText(failure, 'SupportLinkPage')}</p>}</div>
    </div>
  );
}

/** The provider's form: it pays the month, or keeps another card. */
function CardAct({ token, link, onDone }: ActProps) {
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
  const submit = async () => {
    let intent = '';
    const result = await cardRun.run(
      async () => {
        const { data, error } = await ask(
          dispatch(calls.setupSubscriptionLink.initiate({ linkToken: { token } }, { track: false })),
        );
        if (!error) {
          intent = data.intent_id;
          return { data: { clientSecret: data.client_secret } };
        }
        // Another tab may have paid it, or a try of ours.
        if (error.status === 'subscription_not_payable') await look();
        return { error };
      },
      paths.supportLink(language, token),
    );
    if (!result) return;
    const { data, error } =
      link.act === 'pay'
        ? await look()
        : await ask(
            dispatch(
              calls.useSubscriptionLink.initiate(
                { linkUse: { token, setup_intent: intent } },
                { track: false },
              ),
            ),
          );
    if (error) cardRun.fail(error);
    else if (data.link.state === 'open') cardRun.fail({ status: 'generic', http: 0 });
    else onDone();
  };

  return (
    <CardForm
      run={cardRun}
      cents={link.amount_minor ?? 0}
      currency={link.currency}
      purpose={link.act === 'pay' ? 'monthly' : 'card'}
      submitLabel={button}
      onSubmit={submit}
      note={t(link.act === 'pay' ? 'subscription.due.bank' : 'subscription.card.text')}
    />
  );
}

/** What the link cannot do, and where that is done. */
export function Others() {
  const { t } = useTranslation();
  const language = useLanguage();
  return (
    <p className={classes.others}>
      {t('supportLink.only')} <Link to={paths.mySubscriptions(language)}>{t('supportLink.mine')}</Link>
    </p>
  );
}

export function Expired() {
  const { t } = useTranslation();
  const language = useLanguage();
  return (
    <>
      <h1 className="tk-form-title">{t('supportLink.expired')}</h1>
      <p className={classes.text}>{t('supportLink.expiredText')}</p>
      <div className={classes.act}>
        <Button component={Link} variant="outline" to={paths.mySubscriptions(language)}>
          {t('supportLink.mine')}
        </Button>
      </div>
    </>
  );
}
