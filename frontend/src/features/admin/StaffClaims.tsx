import { useTranslation } from 'react-i18next';
import { useClaimsQuery } from '../../api/claims';
import { useLanguage } from '../../i18n';
import { EmptyState } from '../../ui/EmptyState';
import { ClaimList } from '../../ui/claims/ClaimList';
import { Unread } from '../../ui/Unread';

/** The claims that wait for a decision of staff. */
export function StaffClaims() {
  const { t } = useTranslation();
  const language = useLanguage();
  const call = useClaimsQuery({ of: 'staff', language });
  const { data } = call;
  if (data?.claims.length === 0) return <EmptyState title={t('claims.noneStaff')} />;
  if (data) return <ClaimList claims={data.claims} />;
  return <Unread of={call} where="Claims" lines={8} />;
}
