import { useEffect, useRef, type ReactNode, type RefObject } from 'react';
import { Trans, useTranslation } from 'react-i18next';
import { useLanguage } from '../../i18n';
import { formatClock } from '../../i18n/format';
import { Button } from '../../ui/Button';
import { CheckIcon, UnpluggedIcon } from '../../ui/icons';
import type { AskingAgain } from './useAskingAgain';
import classes from './UnknownPayment.module.css';

export interface UnknownPaymentProps {
  /** Formatted. */
  sum: string;
  asking: AskingAgain;
  button?: RefObject<HTMLButtonElement | null>;
}

/** What is said in place of the pay button while it is not known whether a payment was made. */
export function UnknownPayment({ sum, asking, button }: UnknownPaymentProps) {
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
        <UnknownMessage asking={asking}>
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
  children: ReactNode;
}

/** That something is asked about, or waits for the connection. Takes the focus of the button that was pressed. */
export function UnknownMessage({ asking: { isOnline }, children }: UnknownMessageProps) {
  const { t } = useTranslation();
  const message = useRef<HTMLDivElement>(null);
  useEffect(() => {
    message.current?.focus({ preventScroll: true });
    message.current?.scrollIntoView({ block: 'center' });
  }, []);
  return (
    <div ref={message} tabIndex={-1} role="status" className={classes.message}>
      {isOnline ? <span className={classes.loader} aria-hidden="true" /> : <UnpluggedIcon />}
      <div>
        <h2 className={classes.heading}>
          {t(isOnline ? 'pledge.unknown.asking' : 'pledge.unknown.offline')}
        </h2>
        <p>{children}</p>
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
