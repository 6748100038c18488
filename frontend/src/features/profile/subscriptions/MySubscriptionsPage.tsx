import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { Link } from 'react-router-dom';
import { selectIsSignedIn } from '../../../api/session';
import { useOwnSubscriptionsQuery } from '../../../api/subscriptions';
import { useAppDispatch } from '../../../api/useAppDispatch';
import { paths } from '../../../domain/paths';
import { useLanguage } from '../../../i18n';
import { AppMantineProvider } from '../../../ui/AppMantineProvider';
import { Button } from '../../../ui/Button';
import { EmptyState } from '../../../ui/EmptyState';
import { MoreButton } from '../../../ui/MoreButton';
import { OwnPage } from '../../../ui/own/OwnPage';
import { askToSignIn } from '../../../ui/signInPrompt';
import { Unread } from '../../../ui/Unread';
import { usePageTitle } from '../../../ui/usePageTitle';
import classes from './MySubscriptionsPage.module.css';
import { SubscriptionRow } from './SubscriptionRow';

const pageSize = 24;
// The API's maximum.
const most = 300;

/** What the signed-in person supports monthly, with ways to change and to stop. */
export function Component() {
  const { t } = useTranslation();
  const language = useLanguage();
  const dispatch = useAppDispatch();
  const isSignedIn = useSelector(selectIsSignedIn);
  const [limit, setLimit] = useState(pageSize);
  const call = useOwnSubscriptionsQuery({ language, limit }, { skip: !isSignedIn });
  const { data } = call;
  usePageTitle(t('subscription.pageTitle'));

  return (
    <AppMantineProvider>
      <OwnPage title={t('subscription.pageTitle')} lead={t('subscription.own.lead')}>
        {!isSignedIn ? (
          <EmptyState
            title={t('subscription.own.signIn')}
            action={
              <Button variant="light" onClick={() => dispatch(askToSignIn())}>
                {t('nav.signIn')}
              </Button>
            }
          />
        ) : data?.subscriptions.length === 0 ? (
          <EmptyState
            title={t('subscription.own.none')}
            action={
              <Button component={Link} variant="light" to={paths.campaigns(language)}>
                {t('subscription.own.noneAct')}
              </Button>
            }
          >
            {t('subscription.own.noneText')}
          </EmptyState>
        ) : data ? (
          <>
            <ul className={classes.list}>
              {data.subscriptions.map((subscription) => (
                <SubscriptionRow key={subscription.subscription_id} subscription={subscription} />
              ))}
            </ul>
            <MoreButton
              shown={data.subscriptions.length}
              total={Math.min(data.total, most)}
              isLoading={call.isFetching}
              onMore={() => setLimit(Math.min(limit + pageSize, most))}
            />
          </>
        ) : (
          <Unread of={call} where="MySubscriptionsPage" lines={8} />
        )}
      </OwnPage>
    </AppMantineProvider>
  );
}
