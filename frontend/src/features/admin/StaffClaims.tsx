import { useTranslation } from 'react-i18next';
import { isApiError } from '../../api/apiError';
import { useClaimsQuery } from '../../api/claims';
import { useLanguage } from '../../i18n';
import { useErrorText } from '../../i18n/errorText';
import { EmptyState } from '../../ui/EmptyState';
import { ErrorState } from '../../ui/ErrorState';
import { LinesSkeleton } from '../../ui/Skeletons';
import { ClaimList } from '../../ui/claims/ClaimList';

/** The claims that wait for a decision of staff. */
export function StaffClaims() {
  const { t } = useTranslation();
  const language = useLanguage();
  const errorText = useErrorText();
  const { data, error, refetch } = useClaimsQuery({ of: 'staff', language });
  if (data?.claims.length === 0) return <EmptyState title={t('claims.noneStaff')} />;
  if (data) return <ClaimList claims={data.claims} />;
  if (error)
    return <ErrorState onRetry={refetch}>{isApiError(error) && errorText(error, 'Claims')}</ErrorState>;
  return <LinesSkeleton lines={8} />;
}
