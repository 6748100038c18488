import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { isApiError } from '../../../api/apiError';
import {
  openedPledge,
  useChangeOpenedChoiceMutation,
  useChangeOpenedPledgeMutation,
  useClosePledgeLinkMutation,
  useOpenPledgeQuery,
  useRenewPledgeLinkMutation,
  useWithdrawOpenedPledgeMutation,
  type OpenedPledgeAnswer,
} from '../../../api/openedPledge';
import { useAppDispatch } from '../../../api/useAppDispatch';
import { paths } from '../../../domain/paths';
import { useLanguage } from '../../../i18n';
import { useErrorText } from '../../../i18n/errorText';
import { formatDate } from '../../../i18n/format';
import { AppMantineProvider } from '../../../ui/AppMantineProvider';
import { Button } from '../../../ui/Button';
import { Cuts } from '../../../ui/Cuts';
import { useLinkToken } from '../../../ui/linkToken';
import { askToSignIn } from '../../../ui/signInPrompt';
import { useNow } from '../../../ui/useNow';
import { usePageTitle } from '../../../ui/usePageTitle';
import { AskLinks } from '../../../ui/own/AskLinks';
import { Unread } from '../../../ui/Unread';
import type { PledgeActs } from './acts';
import list from './MyPledgesPage.module.css';
import classes from './OpenedPledgePage.module.css';
import { PledgeBlock } from './PledgeBlock';

/** The page of one pledge that a mailed link opens, without an account. */
export function Component() {
  const { t } = useTranslation();
  const token = useLinkToken();
  usePageTitle(t('openedPledge.title'));
  return (
    <AppMantineProvider>
      <article className={`tk-container ${classes.root}`}>
        {token ? <Opened key={token} token={token} /> : <Lost />}
      </article>
    </AppMantineProvider>
  );
}

function Opened({ token }: { token: string }) {
  const language = useLanguage();
  const [isClosed, setClosed] = useState(false);
  const call = useOpenPledgeQuery({ receiptLink: { token }, language });
  const { data, error } = call;
  if (isClosed || (isApiError(error) && error.http === 410)) return <Dead token={token} />;
  if (!data) return <Unread of={call} where="OpenedPledgePage" lines={8} />;
  return <Page token={token} answer={data} onClosed={() => setClosed(true)} />;
}

function useLinkActs(token: string): PledgeActs {
  const language = useLanguage();
  const dispatch = useAppDispatch();
  const [change] = useChangeOpenedPledgeMutation();
  const [choose] = useChangeOpenedChoiceMutation();
  const [withdraw] = useWithdrawOpenedPledgeMutation();
  return {
    change: async (wanted) =>
      (await change({ language, openedPledgeChange: { token, change: wanted } })).error,
    choose: async (choice) => {
      const { data, error } = await choose({ language, openedPledgeChoice: { token, choice } });
      return { error, raise: data?.pledge.choice.raise };
    },
    reread: () => void dispatch(openedPledge.util.invalidateTags(['OpenedPledge'])),
    withdraw: async () => (await withdraw({ language, receiptLink: { token } })).error,
  };
}

interface PageProps {
  token: string;
  answer: OpenedPledgeAnswer;
  /** The link opens nothing any more. */
  onClosed: () => void;
}

function Page({ token, answer, onClosed }: PageProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const now = useNow();
  const dispatch = useAppDispatch();
  const acts = useLinkActs(token);
  const [hasReceipt, setReceipt] = useState(false);
  const { pledge } = answer;
  return (
    <>
      <div className={list.screen}>
        <h1 className="tk-form-title">{t('openedPledge.title')}</h1>
        <p className={classes.lead}>
          {pledge.paid_at
            ? t('openedPledge.paid', { day: formatDate(language, pledge.paid_at) })
            : pledge.status === 'processing' && t('openedPledge.settling')}
        </p>
      </div>
      <div className={`${list.list} ${classes.columns}`}>
        <PledgeBlock
          pledge={pledge}
          acts={acts}
          now={now}
          hasReceipt={hasReceipt}
          onReceipt={setReceipt}
          claimOf={{ token }}
        />
        <aside className={`${list.screen} ${classes.aside}`}>
          <LinkBox token={token} answer={answer} onClosed={onClosed} />
          <section className={classes.part}>
            <h2 className={classes.title}>{t('openedPledge.all')}</h2>
            <p className={classes.text}>{t('openedPledge.allText')}</p>
            <Button variant="transparent" size="sm" onClick={() => dispatch(askToSignIn())}>
              {t('openedPledge.account')}
            </Button>
          </section>
        </aside>
      </div>
    </>
  );
}

/** Until when the link works, and the ways to have another one or none. */
function LinkBox({ token, answer, onClosed }: PageProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const errorText = useErrorText();
  const [renew, renewal] = useRenewPledgeLinkMutation();
  const [close, closing] = useClosePledgeLinkMutation();
  const [isAsked, setAsked] = useState(false);
  const error = renewal.error ?? closing.error;
  return (
    <section className={classes.box}>
      <h2 className={classes.title}>{t('openedPledge.link')}</h2>
      <p className={classes.text}>
        {t('openedPledge.what', { day: formatDate(language, answer.open_until) })}
      </p>
      <div role="status">
        {renewal.isSuccess && <p className={classes.text}>{t('openedPledge.renewed')}</p>}
      </div>
      <div role="alert">
        {isApiError(error) && <p className={list.failure}>{errorText(error, 'OpenedPledgePage')}</p>}
      </div>
      {isAsked ? (
        <>
          <p className={classes.text}>{t('openedPledge.closeAsk')}</p>
          <div className={classes.acts}>
            <Button variant="transparent" size="sm" onClick={() => setAsked(false)}>
              {t('openedPledge.closeKeep')}
            </Button>
            <Button
              variant="outline"
              color="danger"
              size="sm"
              loading={closing.isLoading}
              onClick={() =>
                void close({ receiptLink: { token } }).then(({ error: failed }) => !failed && onClosed())
              }
            >
              {t('openedPledge.closeDo')}
            </Button>
          </div>
        </>
      ) : (
        <div className={classes.acts}>
          <Button
            variant="transparent"
            size="sm"
            loading={renewal.isLoading}
            onClick={() => void renew({ receiptLink: { token } })}
          >
            {t('openedPledge.renew')}
          </Button>
          <Button variant="transparent" color="danger" size="sm" onClick={() => setAsked(true)}>
            {t('openedPledge.close')}
          </Button>
        </div>
      )}
      <p className={classes.note}>{t('openedPledge.note', { email: answer.pledge.email })}</p>
    </section>
  );
}

/** Who has no link asks for one: the way to take a pledge back that is on every page. */
function Lost() {
  const { t } = useTranslation();
  const language = useLanguage();
  return (
    <div className={classes.dead}>
      <h1 className="tk-form-title">{t('openedPledge.lost')}</h1>
      <p className={classes.text}>{t('openedPledge.lostText')}</p>
      <AskLinks />
      <p className={classes.note}>
        {t('openedPledge.lostAccount')}{' '}
        <Link to={paths.myPledges(language)}>{t('openedPledge.lostMine')}</Link>
      </p>
    </div>
  );
}

/** A link that is too old, was closed or replaced: it tells nothing of a pledge. */
function Dead({ token }: { token: string }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const [renew, { isSuccess, isLoading, error }] = useRenewPledgeLinkMutation();
  return (
    <div className={classes.dead}>
      <Cuts kind="empty" />
      <h1 className={classes.deadTitle}>{t('openedPledge.dead')}</h1>
      <p className={classes.text}>{t('openedPledge.deadText')}</p>
      <div role="status">
        {isSuccess ? (
          <p className={classes.text}>{t('openedPledge.deadSent')}</p>
        ) : (
          <Button
            size="lg"
            fullWidth
            loading={isLoading}
            onClick={() => void renew({ receiptLink: { token } })}
          >
            {t('openedPledge.deadSend')}
          </Button>
        )}
      </div>
      <div role="alert">
        {isApiError(error) && <p className={list.failure}>{errorText(error, 'OpenedPledgePage')}</p>}
      </div>
      <p className={classes.note}>{t('openedPledge.deadNote')}</p>
      <p className={classes.text}>{t('openedPledge.deadOther')}</p>
      <AskLinks isAside />
    </div>
  );
}
