import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { isApiError } from '../../api/apiError';
import { useClaimsQuery } from '../../api/claims';
import { selectIsSignedIn } from '../../api/session';
import { useAppDispatch } from '../../api/useAppDispatch';
import { useLanguage } from '../../i18n';
import { useErrorText } from '../../i18n/errorText';
import { AppMantineProvider } from '../../ui/AppMantineProvider';
import { Button } from '../../ui/Button';
import { EmptyState } from '../../ui/EmptyState';
import { ErrorState } from '../../ui/ErrorState';
import { OwnPage } from '../../ui/own/OwnPage';
import { askToSignIn } from '../../ui/signInPrompt';
import { LinesSkeleton } from '../../ui/Skeletons';
import { usePageTitle } from '../../ui/usePageTitle';
import { ClaimList } from '../../ui/claims/ClaimList';
import { RefundForm } from './RefundForm';

/** The claims about the campaigns in whose teams one is, and the way to give money back without one. */
export function Component() {
  const { t } = useTranslation();
  const language = useLanguage();
  const dispatch = useAppDispatch();
  const errorText = useErrorText();
  const isSignedIn = useSelector(selectIsSignedIn);
  const { data, error, refetch } = useClaimsQuery({ of: 'teams', language }, { skip: !isSignedIn });
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
        ) : error ? (
          <ErrorState onRetry={refetch}>{isApiError(error) && errorText(error, 'Claims')}</ErrorState>
        ) : (
          <LinesSkeleton lines={8} />
        )}
      </OwnPage>
    </AppMantineProvider>
  );
}
