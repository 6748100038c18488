import { useEffect, useRef, type ReactNode, type RefObject } from 'react';
import { Trans, useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { paths } from '../../domain/paths';
import { useLanguage } from '../../i18n';
import { formatClock } from '../../i18n/format';
import { Button } from '../../ui/Button';
import { CheckIcon, icon, UnpluggedIcon } from '../../ui/icons';
import type { Doubt } from './flow/lookUp';
import type { AskingAgain } from '../../ui/useAskingAgain';
import classes from './UnknownPayment.module.css';

const PersonIcon = icon(
  'PersonIcon',
  <path d="M8 7a4 4 0 1 0 8 0 4 4 0 0 0-8 0M6 21v-2a4 4 0 0 1 4-4h1.5m3.5 3a3 3 0 1 0 6 0 3 3 0 0 0-6 0m5.2 2.2L22 22" />,
);

export interface UnknownPaymentProps {
  doubt: Doubt;
  /** Formatted. */
  sum: string;
  asking: AskingAgain;
  button?: RefObject<HTMLButtonElement | null>;
}

/** What is said in place of the pay button while it is not known whether a payment was made. */
export function UnknownPayment({ doubt, sum, asking, button }: UnknownPaymentProps) {
  const { asked, at, isOnline } = asking;
  const { t } = useTranslation();
  const language = useLanguage();
  return (
    <>
      <div className={classes.band}>
        <div>
          <p className={classes.title}>{t('pledge.unknown.title')}</p>
          <p className={classes.whether}>{t('pledge.unknown.whether')}</p>
        </div>
        <p className={classes.sum}>{sum}</p>
      </div>
      <div className={classes.root}>
        <UnknownMessage
          asking={asking}
          late={<AskAPerson number={doubt.about === 'payment' ? doubt.pledgeId : undefined} />}
        >
          <Trans i18nKey="pledge.unknown.text" values={{ sum }} components={{ b: <strong /> }} />
        </UnknownMessage>
        <ol className={classes.steps}>
          <li data-step="done">
            <span className={classes.dot} aria-hidden="true">
              <CheckIcon size={16} />
            </span>
            <p className={classes.step}>{t('pledge.unknown.sent')}</p>
            <p>{t('pledge.unknown.sentText')}</p>
          </li>
          <li data-step="asked" aria-current="step">
            <span className={classes.dot} aria-hidden="true">
              ?
            </span>
            <p className={classes.step}>{t('pledge.unknown.charged')}</p>
            <p>
              {isOnline
                ? t('pledge.unknown.asked', { count: asked, time: formatClock(language, at) })
                : t('pledge.unknown.waiting')}
            </p>
          </li>
          <li data-step="ahead">
            <span className={classes.dot} aria-hidden="true" />
            <p className={classes.step}>{t('pledge.unknown.ifCharged')}</p>
            <p>{t('pledge.unknown.ifChargedText')}</p>
          </li>
          <li data-step="ahead">
            <span className={classes.dot} aria-hidden="true" />
            <p className={classes.step}>{t('pledge.unknown.ifNot')}</p>
            <p>{t('pledge.unknown.ifNotText')}</p>
          </li>
        </ol>
        <AskNow asking={asking} button={button} />
        <p className={classes.note}>{t('pledge.unknown.stay')}</p>
      </div>
    </>
  );
}

interface UnknownMessageProps {
  asking: AskingAgain;
  /** Said instead once it has been asked for hours; see AskAPerson. */
  late?: ReactNode;
  children: ReactNode;
}

/** After hours without an answer: whom to write to. The number opens nothing and finds the payment. */
export function AskAPerson({ number }: { number: string | undefined }) {
  const language = useLanguage();
  return (
    <Trans
      i18nKey={number === undefined ? 'pledge.unknown.latePledge' : 'pledge.unknown.late'}
      values={{ number }}
      components={{
        b: <strong />,
        code: <code className={classes.number} />,
        terms: <Link to={paths.info(language, 'terms')} target="_blank" rel="noreferrer" />,
      }}
    />
  );
}

/** That something is asked about, or waits for the connection. Takes the focus of the button that was pressed. */
export function UnknownMessage({ asking, late, children }: UnknownMessageProps) {
  const { isOnline } = asking;
  const isLate = isOnline && asking.isLate && late !== undefined;
  const { t } = useTranslation();
  const message = useRef<HTMLDivElement>(null);
  useEffect(() => {
    message.current?.focus({ preventScroll: true });
    message.current?.scrollIntoView({ block: 'center' });
  }, []);
  return (
    <div ref={message} tabIndex={-1} role="status" className={classes.message}>
      {!isOnline ? (
        <UnpluggedIcon />
      ) : isLate ? (
        <PersonIcon />
      ) : (
        <span className={classes.loader} aria-hidden="true" />
      )}
      <div>
        <h2 className={classes.heading}>
          {t(
            !isOnline
              ? 'pledge.unknown.offline'
              : isLate
                ? 'pledge.unknown.lateTitle'
                : 'pledge.unknown.asking',
          )}
        </h2>
        <p>{isLate ? late : children}</p>
      </div>
    </div>
  );
}

/** The button that asks at once. Without a connection there is none. */
export function AskNow({ asking, button }: Pick<UnknownPaymentProps, 'asking' | 'button'>) {
  const { t } = useTranslation();
  if (!asking.isOnline) return null;
  return (
    <Button
      ref={button}
      variant="light"
      size="lg"
      fullWidth
      loading={asking.isAsking}
      onClick={asking.askNow}
    >
      {t('pledge.unknown.askNow')}
    </Button>
  );
}
