import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { Navigate } from 'react-router-dom';
import { isApiError } from '../../../api/apiError';
import { useLinkStripeAccountMutation, useOwnPayeesQuery } from '../../../api/payees';
import { selectUser } from '../../../api/session';
import { useLanguage } from '../../../i18n';
import { paths } from '../../../domain/paths';
import { AppMantineProvider } from '../../../ui/AppMantineProvider';
import { ErrorState } from '../../../ui/ErrorState';
import { leaveFor } from '../../../ui/leaveFor';
import { OwnPage } from '../../../ui/own/OwnPage';
import { TextLink } from '../../../ui/TextLink';
import { usePageTitle } from '../../../ui/usePageTitle';
import { onboardingAddresses } from './payoutsAddress';
import { SignIn } from './SignIn';
import { useFailureText } from './useFailureText';
import classes from './PayoutsPage.module.css';

/** Where provider A sends somebody whose address there is used up or old: another is made, and they go on. */
export function OnboardRefresh() {
  const { t } = useTranslation();
  const language = useLanguage();
  const failureText = useFailureText();
  const user = useSelector(selectUser);
  const { currentData, error: unread, isFetching, refetch } = useOwnPayeesQuery(undefined, { skip: !user });
  const [link, { error: refused, reset }] = useLinkStripeAccountMutation();
  const [made, setMade] = useState<{ address?: string }>();
  const asked = useRef(false);
  const id = currentData?.payees.find(({ provider }) => provider === 'stripe')?.account_id;
  useEffect(() => {
    if (id === undefined || refused || asked.current) return;
    asked.current = true;
    void link({ id, stripeLinking: { account: onboardingAddresses(language) } }).then(({ data }) => {
      asked.current = false;
      if (!data) return;
      const address = data.stripeAccountLink.url;
      setMade({ address });
      if (address) leaveFor(address);
    });
  }, [id, refused, link, language]);
  usePageTitle(t('payouts.title'));

  const error = (isFetching ? undefined : unread) ?? refused;
  // Without an account, or with nothing to do, the payouts page says how it is.
  if ((currentData && id === undefined) || (made && !made.address))
    return <Navigate replace to={paths.payouts(language)} />;
  return (
    <AppMantineProvider>
      <OwnPage title={t('payouts.title')}>
        {!user ? (
          <SignIn />
        ) : error ? (
          <ErrorState onRetry={() => (unread ? void refetch() : reset())}>
            {isApiError(error) && failureText(error, 'OnboardRefresh')}
          </ErrorState>
        ) : (
          <div role="status" className={classes.asking}>
            <p className={classes.name}>{t('payouts.old.title')}</p>
            <p className={classes.note}>
              {t('payouts.old.text')}{' '}
              {made?.address && <TextLink href={made.address}>{t('payouts.old.continue')}</TextLink>}
            </p>
          </div>
        )}
      </OwnPage>
    </AppMantineProvider>
  );
}
