import { useState } from 'react';
import { Trans, useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { Link } from 'react-router-dom';
import { isApiError } from '../../../api/apiError';
import { selectIsSignedIn } from '../../../api/session';
import { useMoneyCalendarQuery, type MoneyCalendarAnswer } from '../../../api/subscriptions';
import { useAppDispatch } from '../../../api/useAppDispatch';
import { paths } from '../../../domain/paths';
import { useLanguage } from '../../../i18n';
import { useErrorText } from '../../../i18n/errorText';
import { formatMonthName } from '../../../i18n/months';
import { AppMantineProvider } from '../../../ui/AppMantineProvider';
import { Button } from '../../../ui/Button';
import { EmptyState } from '../../../ui/EmptyState';
import { ErrorState } from '../../../ui/ErrorState';
import { OwnPage } from '../../../ui/own/OwnPage';
import { askToSignIn } from '../../../ui/signInPrompt';
import { LinesSkeleton } from '../../../ui/Skeletons';
import { usePageTitle } from '../../../ui/usePageTitle';
import { Bars } from './Bars';
import { Feed } from './Feed';
import classes from './MoneyCalendar.module.css';
import { MonthView } from './MonthView';
import { firstMonth, readMonth } from './months';
import { useSumText } from './useSumText';

/** What monthly support has charged the signed-in person, and will, month by month. */
export function Component() {
  const { t } = useTranslation();
  const language = useLanguage();
  const dispatch = useAppDispatch();
  const errorText = useErrorText();
  const isSignedIn = useSelector(selectIsSignedIn);
  const { data, error, refetch } = useMoneyCalendarQuery({ language }, { skip: !isSignedIn });
  usePageTitle(t('moneyCalendar.title'));
  return (
    <AppMantineProvider>
      <OwnPage title={t('moneyCalendar.title')}>
        {!isSignedIn ? (
          <EmptyState
            title={t('moneyCalendar.signIn')}
            action={
              <Button variant="light" onClick={() => dispatch(askToSignIn())}>
                {t('nav.signIn')}
              </Button>
            }
          />
        ) : data ? (
          <Calendar calendar={data} />
        ) : error ? (
          <ErrorState title={t('moneyCalendar.failed')} onRetry={() => void refetch()}>
            {isApiError(error) && errorText(error, 'MoneyCalendarPage')}
          </ErrorState>
        ) : (
          <LinesSkeleton lines={10} />
        )}
      </OwnPage>
    </AppMantineProvider>
  );
}

function Calendar({ calendar }: { calendar: MoneyCalendarAnswer }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const sumText = useSumText();
  const { supports, today } = calendar;
  const [month, setMonth] = useState(() => firstMonth(supports, today));
  if (supports.length === 0)
    return (
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
    );
  const next = readMonth(supports, firstMonth(supports, today));
  const coming = next.entries.filter(({ state }) => state === 'coming');
  const small = formatMonthName(language, `${next.month}-01`);
  // The sentence begins with it in Finnish, which writes months small.
  const name = language === 'fi' ? small.charAt(0).toUpperCase() + small.slice(1) : small;
  return (
    <>
      <p className={classes.lead}>
        {coming.length > 0 ? (
          <Trans
            i18nKey="moneyCalendar.lead"
            count={new Set(coming.map(({ support }) => support.subscription_id)).size}
            values={{ month: name, sum: sumText(next.sums, 'coming') }}
            components={{ b: <b className={classes.totalSum} /> }}
          />
        ) : (
          t('moneyCalendar.leadNone', { month: name })
        )}
      </p>
      <Bars calendar={calendar} />
      <MonthView calendar={calendar} month={month} onMonth={setMonth} />
      <Feed url={calendar.feed_url} />
    </>
  );
}
