import { useRef, useState, type RefObject } from 'react';
import { Trans, useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { Link } from 'react-router-dom';
import { selectIsSignedIn } from '../../../api/session';
import {
  useMoneyCalendarQuery,
  useOwnSpendingLimitsQuery,
  type MoneyCalendarAnswer,
} from '../../../api/subscriptions';
import { useAppDispatch } from '../../../api/useAppDispatch';
import { paths } from '../../../domain/paths';
import { useLanguage } from '../../../i18n';
import { capital } from '../../../i18n/capital';
import { formatMonthName } from '../../../i18n/months';
import { AppMantineProvider } from '../../../ui/AppMantineProvider';
import { Button } from '../../../ui/Button';
import { EmptyState } from '../../../ui/EmptyState';
import { OwnPage } from '../../../ui/own/OwnPage';
import { askToSignIn } from '../../../ui/signInPrompt';
import { Unread } from '../../../ui/Unread';
import { usePageTitle } from '../../../ui/usePageTitle';
import { usePolling } from '../../../ui/usePolling';
import { Bars } from './Bars';
import { CalendarPlusIcon } from './CalendarPlusIcon';
import { firstCrossing, firstHeld } from './crossing';
import { Feed } from './Feed';
import { Limit } from './Limit';
import classes from './MoneyCalendar.module.css';
import { MonthView } from './MonthView';
import { afterAnswers, firstMonth, readMonth, type Answer } from './months';
import { HeldEntry, OverMonth } from './OverMonth';
import { useSumText } from './useSumText';

/** What monthly support has charged the signed-in person, and will, month by month. */
export function Component() {
  const { t } = useTranslation();
  const language = useLanguage();
  const dispatch = useAppDispatch();
  const isSignedIn = useSelector(selectIsSignedIn);
  const call = useMoneyCalendarQuery({ language }, { skip: !isSignedIn });
  const { data, refetch } = call;
  usePageTitle(t('moneyCalendar.title'));
  return (
    <AppMantineProvider>
      <OwnPage title={t('moneyCalendar.title')}>
        {isSignedIn && data ? (
          <Calendar calendar={data} onLook={refetch} />
        ) : (
          <div className={classes.state}>
            {!isSignedIn ? (
              <EmptyState
                title={t('moneyCalendar.signIn')}
                action={
                  <Button variant="light" onClick={() => dispatch(askToSignIn())}>
                    {t('nav.signIn')}
                  </Button>
                }
              />
            ) : (
              <Unread of={call} title={t('moneyCalendar.failed')} where="MoneyCalendarPage" lines={10} />
            )}
          </div>
        )}
      </OwnPage>
    </AppMantineProvider>
  );
}

interface CalendarProps {
  calendar: MoneyCalendarAnswer;
  /** Reads it again. */
  onLook: () => unknown;
}

function Calendar({ calendar, onLook }: CalendarProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { today, feed_url: feedUrl } = calendar;
  const [answers, setAnswers] = useState<Answer[]>([]);
  const { supports, isStale } = afterAnswers(calendar.supports, answers);
  const limits = useOwnSpendingLimitsQuery().data?.spending_limits ?? [];
  const [month, setMonth] = useState(() => firstMonth(supports, today));
  const held = firstHeld(supports);
  const crossing = firstCrossing(supports, today, limits);
  const feed = useRef<HTMLHeadingElement>(null);
  const limit = useRef<HTMLHeadingElement>(null);
  usePolling(isStale, () => void onLook());
  if (calendar.supports.length === 0)
    return (
      <>
        <div className={classes.state}>
          <EmptyState
            title={t('moneyCalendar.none')}
            action={
              <Button component={Link} variant="light" to={paths.campaigns(language)}>
                {t('moneyCalendar.noneAct')}
              </Button>
            }
          >
            {t('moneyCalendar.noneText')}
          </EmptyState>
        </div>
        <Limit heading={limit} />
        {feedUrl && <Feed url={feedUrl} heading={feed} />}
      </>
    );
  return (
    <>
      <div className={classes.top}>
        <Lead supports={supports} today={today} />
        <Button variant="outline" leftSection={<CalendarPlusIcon />} onClick={() => leadTo(feed)}>
          {t('moneyCalendar.subscribe')}
        </Button>
      </div>
      <Bars supports={supports} today={today} limits={limits} />
      <div className={classes.over}>
        {held && !(crossing && crossing.month < held.day.slice(0, 7)) ? (
          <HeldEntry key={`${held.support.subscription_id} ${held.period}`} entry={held} onLook={onLook} />
        ) : (
          crossing && (
            <OverMonth
              key={crossing.month}
              crossing={crossing}
              today={today}
              onLimit={() => leadTo(limit)}
              onAnswer={(answer) => setAnswers([...answers, answer])}
            />
          )
        )}
      </div>
      <MonthView supports={supports} today={today} month={month} onMonth={setMonth} />
      <Limit heading={limit} />
      <Feed url={feedUrl} heading={feed} />
    </>
  );
}

function leadTo({ current: heading }: RefObject<HTMLHeadingElement | null>) {
  heading?.focus({ preventScroll: true });
  heading?.scrollIntoView({ block: 'center' });
}

/** What the month of the next charge takes. */
function Lead({ supports, today }: Pick<MoneyCalendarAnswer, 'supports' | 'today'>) {
  const { t } = useTranslation();
  const language = useLanguage();
  const sumText = useSumText();
  const next = readMonth(supports, firstMonth(supports, today));
  const coming = next.entries.filter(({ state }) => state === 'coming');
  const hasCharged = next.entries.some(({ state }) => state === 'charged');
  const small = formatMonthName(language, `${next.month}-01`);
  // The sentence begins with it in Finnish.
  const name = language === 'fi' ? capital(small) : small;
  return (
    <p className={classes.lead}>
      {coming.length > 0 ? (
        <Trans
          i18nKey="moneyCalendar.lead"
          count={new Set(coming.map(({ support }) => support.campaign.campaign_id)).size}
          values={{ month: name, sum: sumText(next.sums, 'coming') }}
          components={{ b: <b className={classes.totalSum} /> }}
        />
      ) : (
        t(hasCharged ? 'moneyCalendar.leadNoMore' : 'moneyCalendar.leadNone', { month: name })
      )}
    </p>
  );
}
