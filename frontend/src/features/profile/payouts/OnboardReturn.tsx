import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { Navigate } from 'react-router-dom';
import { useOwnPayeesQuery, useUpdateStripeAccountMutation } from '../../../api/payees';
import { selectUser } from '../../../api/session';
import { useLanguage } from '../../../i18n';
import { AppMantineProvider } from '../../../ui/AppMantineProvider';
import { OwnPage } from '../../../ui/own/OwnPage';
import { usePageTitle } from '../../../ui/usePageTitle';
import classes from './PayoutsPage.module.css';
import { welcomeBack } from './payoutsAddress';
import { SignIn } from './SignIn';

/**
 * Where provider A's page leads back to: what the provider knows of the account is asked, and the payouts page says it. That somebody
 * comes here says only that they have left that page; an answer that fails is asked for there once more.
 */
export function OnboardReturn() {
  const { t } = useTranslation();
  const language = useLanguage();
  const user = useSelector(selectUser);
  const { currentData, isError } = useOwnPayeesQuery(undefined, { skip: !user });
  const [update] = useUpdateStripeAccountMutation();
  const [isDone, setDone] = useState(false);
  const asked = useRef(false);
  const id = currentData?.payees.find(({ provider }) => provider === 'stripe')?.account_id;
  useEffect(() => {
    if (id === undefined || asked.current) return;
    asked.current = true;
    void update({ id }).finally(() => setDone(true));
  }, [id, update]);
  usePageTitle(t('payouts.title'));

  const hasNone = currentData !== undefined && id === undefined;
  if (user && (isDone || hasNone || isError)) return <Navigate replace to={welcomeBack(language)} />;
  return (
    <AppMantineProvider>
      <OwnPage title={t('payouts.title')}>
        {user ? (
          <div role="status" className={classes.asking}>
            <p className={classes.name}>{t('payouts.back.title')}</p>
            <p className={classes.note}>{t('payouts.back.text')}</p>
          </div>
        ) : (
          <SignIn />
        )}
      </OwnPage>
    </AppMantineProvider>
  );
}
