import { useRef, useState, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { isApiError } from '../../../api/apiError';
import { useEndCalendarFeedMutation, useRenewCalendarFeedMutation } from '../../../api/subscriptions';
import { useErrorText } from '../../../i18n/errorText';
import { Button } from '../../../ui/Button';
import { TextField } from '../../../ui/fields';
import { useHeadingAfter } from '../../../ui/useHeadingAfter';
import classes from './Feed.module.css';
import calendar from './MoneyCalendar.module.css';

export interface FeedProps {
  url: string | undefined;
  /** Its heading, so that the page's button leads to it. */
  heading: RefObject<HTMLHeadingElement | null>;
}

/** The feed for calendar programs: its secret address, another one, and off. */
export function Feed({ url, heading }: FeedProps) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const [renew, renewing] = useRenewCalendarFeedMutation();
  const [end, ending] = useEndCalendarFeedMutation();
  const [said, setSaid] = useState<'copied' | 'renewed' | 'off'>();
  const error = renewing.error ?? ending.error;
  const root = useRef<HTMLElement>(null);
  useHeadingAfter(root);

  const copy = async (address: string) => {
    try {
      await navigator.clipboard.writeText(address);
      setSaid('copied');
    } catch {
      // No permission or no clipboard: the address can still be copied by hand.
    }
  };
  const change = async () => {
    setSaid(undefined);
    ending.reset();
    if (!(await renew()).error && url) setSaid('renewed');
  };
  const turnOff = async () => {
    setSaid(undefined);
    renewing.reset();
    if ((await end()).error) return;
    setSaid('off');
    // The buttons of an address go with it.
    heading.current?.focus({ preventScroll: true });
  };

  return (
    <section ref={root} aria-labelledby="feed" className={classes.feed}>
      <div>
        <h2 id="feed" ref={heading} tabIndex={-1} className={classes.feedTitle}>
          {t('moneyCalendar.feed')}
        </h2>
        <p className={calendar.facts}>{t(url ? 'moneyCalendar.feedText' : 'moneyCalendar.feedOff')}</p>
        {url && (
          <TextField
            label={t('moneyCalendar.address')}
            value={url}
            readOnly
            onFocus={(event) => event.currentTarget.select()}
          />
        )}
        <p role="status" className={calendar.facts}>
          {said && t(`moneyCalendar.${said}`)}
        </p>
        <p role="alert" className={calendar.facts}>
          {isApiError(error) && `${t('moneyCalendar.feedFailed')}. ${errorText(error, 'MoneyCalendarPage')}`}
        </p>
      </div>
      <div className={classes.feedActs}>
        {url ? (
          <>
            <Button variant="outline" size="sm" onClick={() => void copy(url)}>
              {t('moneyCalendar.copy')}
            </Button>
            <Button
              variant="transparent"
              size="sm"
              loading={renewing.isLoading}
              onClick={() => void change()}
            >
              {t('moneyCalendar.renew')}
            </Button>
            <Button variant="transparent" size="sm" loading={ending.isLoading} onClick={() => void turnOff()}>
              {t('moneyCalendar.turnOff')}
            </Button>
          </>
        ) : (
          <Button variant="outline" size="sm" loading={renewing.isLoading} onClick={() => void change()}>
            {t('moneyCalendar.turnOn')}
          </Button>
        )}
      </div>
    </section>
  );
}
