import { Fragment, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { useLocation } from 'react-router-dom';
import type { PaymentAccountChange } from '../../../api/editing';
import { useOwnPayeesQuery, type Payee } from '../../../api/payees';
import { selectEnd, selectUser, type LocalUser } from '../../../api/session';
import { useTaxDataQuery } from '../../../api/taxData';
import { paths } from '../../../domain/paths';
import { useLanguage } from '../../../i18n';
import { AppMantineProvider } from '../../../ui/AppMantineProvider';
import { OwnPage } from '../../../ui/own/OwnPage';
import { lazyComponent } from '../../../ui/lazyComponent';
import { LinesSkeleton } from '../../../ui/Skeletons';
import { Unread } from '../../../ui/Unread';
import { usePageTitle } from '../../../ui/usePageTitle';
import { usePolling } from '../../../ui/usePolling';
import { Account } from './Account';
import { AccountForm } from './AccountForm';
import { Bank } from './Bank';
import { More } from './More';
import { canDo, isBankOpen, isRejected, lacksBank, takesBank } from './needs';
import { OnboardForm } from './OnboardForm';
import { OnboardRefresh } from './OnboardRefresh';
import { OnboardReturn } from './OnboardReturn';
import { PaidCampaigns } from './PaidCampaigns';
import { PartnerBank } from './PartnerBank';
import { PayoutList } from './PayoutList';
import { isReturn } from './payoutsAddress';
import { SignIn } from './SignIn';
import type { TaxDataProps } from './tax/TaxData';
import { WaitingMoney } from './WaitingMoney';

const TaxData = lazyComponent<TaxDataProps>(
  () => import(/* webpackChunkName: "tax-data" */ './tax/TaxData'),
  { skeleton: <LinesSkeleton lines={3} /> },
);

// How often the account is asked about after the return from the partner: in about five seconds.
const asksAfterReturn = 3;

/** Where one is paid as a creator, with the two addresses that provider A's page leads to. */
export function Component() {
  const language = useLanguage();
  const { pathname } = useLocation();
  if (pathname === paths.onboardReturn(language)) return <OnboardReturn />;
  if (pathname === paths.onboardRefresh(language)) return <OnboardRefresh />;
  return <Payouts />;
}

/** Where one is paid. What is typed stays while the session has ended, until somebody else signs in. */
function Payouts() {
  const { t } = useTranslation();
  const { search } = useLocation();
  const { user, last, call } = useOwnAccounts();
  const { refetch } = call;
  const live = last?.payees.filter(({ state }) => state !== 'closed') ?? [];
  const shown = providers.flatMap((provider) => shownOf(last?.payees ?? [], provider) ?? []);
  const has = (provider: Payee['provider']) => live.some((payee) => payee.provider === provider);
  const isUnfinished = (payee: Payee) =>
    payee.state !== 'ready' || payee.needs.length > 0 || lacksBank(payee);
  const first = shown.find(isUnfinished) ?? shown[0];
  const [asked, setAsked] = useState(0);
  const isAsking =
    isReturn(search) &&
    user !== null &&
    asked < asksAfterReturn &&
    live.some((payee) => payee.needs.some(canDo) || isBankOpen(payee));
  const isUnanswered =
    user !== null && live.some(({ banks }) => banks?.some(({ state }) => state === 'asking'));
  usePolling(isAsking || isUnanswered, () => void refetch().finally(() => setAsked((count) => count + 1)));
  // Who can be paid by their account is not, while the law has them say first who they are.
  const { data: tax } = useTaxDataQuery(undefined, { skip: !user || !last?.payees.length });
  usePageTitle(t('payouts.title'));

  return (
    <AppMantineProvider>
      <OwnPage
        title={t('payouts.title')}
        lead={first && !isAsking ? t(tax?.is_held ? 'payouts.tax.heldLead' : leadOf(first)) : undefined}
      >
        {last ? (
          <>
            {user && <WaitingMoney userId={user.user_id} />}
            {user && last.payees.length > 0 && <PayoutList key={`payouts ${user.user_id}`} />}
            {shown.map((payee) => (
              <Fragment key={payee.provider}>
                <Account
                  payee={payee}
                  title={t(
                    shown.length > 1 && payee.provider === 'mangopay'
                      ? 'payouts.account.titleB'
                      : 'payouts.account.title',
                  )}
                  isAsking={isAsking && payee.needs.some(canDo)}
                  onChanged={() => void refetch()}
                />
                {payee.provider === 'stripe' && (
                  <PartnerBank payee={payee} onChanged={() => void refetch()} />
                )}
                {takesBank(payee) && (
                  <Bank
                    key={last.user.user_id}
                    payee={payee}
                    firstName={last.user.first_name}
                    lastName={last.user.last_name}
                    onChanged={() => void refetch()}
                  />
                )}
              </Fragment>
            ))}
            {last.payees.length > 0 && (
              <TaxData key={`tax ${last.user.user_id}`} user={last.user} isSignedIn={user !== null} />
            )}
            {!has('stripe') &&
              orMore(
                'cards',
                has('mangopay'),
                <OnboardForm
                  key={last.user.user_id}
                  userId={last.user.user_id}
                  onMade={() => void refetch()}
                />,
              )}
            {!has('mangopay') &&
              orMore(
                'bank',
                true,
                <AccountForm
                  key={last.user.user_id}
                  userId={last.user.user_id}
                  firstName={last.user.first_name}
                  lastName={last.user.last_name}
                  onMade={() => void refetch()}
                />,
              )}
            {live.length > 0 && (
              <PaidCampaigns
                key={last.user.user_id}
                userId={last.user.user_id}
                isSignedIn={user !== null}
                accounts={linkable(live)}
              />
            )}
          </>
        ) : !user ? (
          <SignIn />
        ) : (
          <Unread of={call} where="PayoutsPage" lines={8} />
        )}
      </OwnPage>
    </AppMantineProvider>
  );
}

/** The accounts, as they were last read. They stay while the session of their person has ended by itself. */
function useOwnAccounts() {
  const user = useSelector(selectUser);
  const hasSignedOut = useSelector(selectEnd) === 'signedOut';
  const call = useOwnPayeesQuery(undefined, { skip: !user });
  const { currentData } = call;
  const [last, setLast] = useState<{ user: LocalUser; payees: readonly Payee[] }>();
  if (user && currentData && (currentData.payees !== last?.payees || user !== last.user))
    setLast({ user, payees: currentData.payees });
  const isTheirs = last && (user ? last.user.user_id === user.user_id : !hasSignedOut);
  return { user, last: isTheirs ? last : undefined, call };
}

const providers = ['stripe', 'mangopay'] as const;

/** The account at a provider that the page is about: the one in use, or else one that was closed. */
function shownOf(payees: readonly Payee[], provider: Payee['provider']): Payee | undefined {
  const own = payees.filter((payee) => payee.provider === provider);
  return own.find(({ state }) => state !== 'closed') ?? own[0];
}

/** A form, or the offer of it where there is an account already, or another one comes first. */
const orMore = (of: 'cards' | 'bank', isMore: boolean, form: ReactNode) =>
  isMore ? <More of={of}>{form}</More> : form;

/** The accounts that campaigns are linked to. */
function linkable(live: readonly Payee[]): PaymentAccountChange {
  const a = live.find(({ provider }) => provider === 'stripe');
  const b = live.find(({ provider, wallet_id: wallet }) => provider === 'mangopay' && wallet);
  return {
    ...(a && { stripe_account_id: a.account_id }),
    ...(b && { mangopay_user_id: b.account_id, mangopay_wallet_id: b.wallet_id }),
  };
}

function leadOf(payee: Payee) {
  const { provider, state, needs } = payee;
  if (isRejected(payee)) return 'payouts.lead.rejected';
  if (lacksBank(payee)) return 'payouts.lead.noBank';
  if (state === 'restricted' && provider === 'stripe') return 'payouts.lead.restrictedA';
  if (state !== 'ready' || needs.length === 0) return `payouts.lead.${state}` as const;
  // What the partner keeps back is no question to the person.
  return needs.some(canDo) ? 'payouts.lead.readyNeeds' : 'payouts.lead.readyHeld';
}
