import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { useClaimsQuery } from '../../api/claims';
import { selectIsSignedIn } from '../../api/session';
import { useAppDispatch } from '../../api/useAppDispatch';
import { useLanguage } from '../../i18n';
import { AppMantineProvider } from '../../ui/AppMantineProvider';
import { Button } from '../../ui/Button';
import { EmptyState } from '../../ui/EmptyState';
import { OwnPage } from '../../ui/own/OwnPage';
import { askToSignIn } from '../../ui/signInPrompt';
import { usePageTitle } from '../../ui/usePageTitle';
import { ClaimList } from '../../ui/claims/ClaimList';
import { Unread } from '../../ui/Unread';
import { RefundForm } from './RefundForm';

/** The claims about the campaigns in whose teams one is, and the way to give money back without one. */
export function Component() {
  const { t } = useTranslation();
  const language = useLanguage();
  const dispatch = useAppDispatch();
  const isSignedIn = useSelector(selectIsSignedIn);
  const call = useClaimsQuery({ of: 'teams', language }, { skip: !isSignedIn });
  const { data } = call;
  usePageTitle(t('claims.title'));
  return (
    <AppMantineProvider>
      <OwnPage title={t('claims.title')} lead={t('claims.lead')}>
        {!isSignedIn ? (
          <EmptyState
            title={t('claims.signIn')}
            action={
              <Button variant="light" onClick={() => dispatch(askToSignIn())}>
                {t('nav.signIn')}
              </Button>
            }
          />
        ) : data ? (
          <>
            {data.claims.length > 0 ? (
              <ClaimList claims={data.claims} />
            ) : (
              <EmptyState title={t('claims.none')}>{t('claims.noneText')}</EmptyState>
            )}
            {data.campaigns.length > 0 && <RefundForm campaigns={data.campaigns} />}
          </>
        ) : (
          <Unread of={call} where="Claims" lines={8} />
        )}
      </OwnPage>
    </AppMantineProvider>
  );
}
