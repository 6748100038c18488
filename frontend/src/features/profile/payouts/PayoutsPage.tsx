import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { useLocation } from 'react-router-dom';
import { isApiError } from '../../../api/apiError';
import { useOwnPayeesQuery, type Payee } from '../../../api/payees';
import { selectEnd, selectUser, type LocalUser } from '../../../api/session';
import { useAppDispatch } from '../../../api/useAppDispatch';
import { useErrorText } from '../../../i18n/errorText';
import { AppMantineProvider } from '../../../ui/AppMantineProvider';
import { Button } from '../../../ui/Button';
import { EmptyState } from '../../../ui/EmptyState';
import { ErrorState } from '../../../ui/ErrorState';
import { OwnPage } from '../../../ui/own/OwnPage';
import { askToSignIn } from '../../../ui/signInPrompt';
import { LinesSkeleton } from '../../../ui/Skeletons';
import { usePageTitle } from '../../../ui/usePageTitle';
import { usePolling } from '../../../ui/usePolling';
import { Account } from './Account';
import { AccountForm } from './AccountForm';
import { canDo } from './needs';
import { PaidCampaigns } from './PaidCampaigns';
import { isReturn } from './payoutsAddress';

// How often the account is asked about after the return from the partner: in about five seconds.
const asksAfterReturn = 3;

/** Where one is paid as a creator. What is typed stays while the session has ended, until somebody else signs in. */
export function Component() {
  const { t } = useTranslation();
  const dispatch = useAppDispatch();
  const errorText = useErrorText();
  const { search } = useLocation();
  const { user, last, error, refetch } = useOwnAccounts();
  const payee = last && shown(last.payees);
  const [asked, setAsked] = useState(0);
  const isAsking =
    isReturn(search) &&
    user !== null &&
    asked < asksAfterReturn &&
    payee !== undefined &&
    payee.state !== 'closed' &&
    payee.needs.some(canDo);
  usePolling(isAsking, () => void refetch().finally(() => setAsked((count) => count + 1)));
  usePageTitle(t('payouts.title'));

  return (
    <AppMantineProvider>
      <OwnPage title={t('payouts.title')} lead={payee && !isAsking ? t(leadOf(payee)) : undefined}>
        {last ? (
          <>
            {payee && <Account payee={payee} isAsking={isAsking} onChanged={() => void refetch()} />}
            {(!payee || payee.state === 'closed') && (
              <AccountForm
                key={last.user.user_id}
                userId={last.user.user_id}
                firstName={last.user.first_name}
                lastName={last.user.last_name}
                onMade={() => void refetch()}
              />
            )}
            {payee?.wallet_id && payee.state !== 'closed' && (
              <PaidCampaigns
                key={last.user.user_id}
                userId={last.user.user_id}
                isSignedIn={user !== null}
                account={{ owner: payee.account_id, wallet: payee.wallet_id }}
              />
            )}
          </>
        ) : !user ? (
          <EmptyState
            title={t('payouts.signIn')}
            action={
              <Button variant="light" onClick={() => dispatch(askToSignIn())}>
                {t('nav.signIn')}
              </Button>
            }
          />
        ) : error ? (
          <ErrorState onRetry={() => void refetch()}>
            {isApiError(error) && errorText(error, 'PayoutsPage')}
          </ErrorState>
        ) : (
          <LinesSkeleton lines={8} />
        )}
      </OwnPage>
    </AppMantineProvider>
  );
}

/** The accounts, as they were last read. They stay while the session of their person has ended by itself. */
function useOwnAccounts() {
  const user = useSelector(selectUser);
  const hasSignedOut = useSelector(selectEnd) === 'signedOut';
  const { currentData, error, refetch } = useOwnPayeesQuery(undefined, { skip: !user });
  const [last, setLast] = useState<{ user: LocalUser; payees: readonly Payee[] }>();
  if (user && currentData && (currentData.payees !== last?.payees || user !== last.user))
    setLast({ user, payees: currentData.payees });
  const isTheirs = last && (user ? last.user.user_id === user.user_id : !hasSignedOut);
  return { user, last: isTheirs ? last : undefined, error, refetch };
}

/** The account that the page is about: the one in use, or else one that was closed. */
function shown(payees: readonly Payee[]): Payee | undefined {
  const own = payees.filter(({ provider }) => provider === 'mangopay');
  return own.find(({ state }) => state !== 'closed') ?? own[0];
}

function leadOf({ state, needs }: Payee) {
  if (state !== 'ready' || needs.length === 0) return `payouts.lead.${state}` as const;
  // What the partner keeps back is no question to the person.
  return needs.some(canDo) ? 'payouts.lead.readyNeeds' : 'payouts.lead.readyHeld';
}
