import { useTranslation } from 'react-i18next';
import { Chip } from '../../../ui/Chip';
import { useWriting } from './context';
import { SidePanel } from './SidePanel';

/** Whether the campaign has a payout account. Read-only, because the app cannot open accounts yet. */
export function Account() {
  const { t } = useTranslation();
  const { settings } = useWriting().admin;
  const has = Boolean(settings.payment_account_id ?? settings.payment_wallet_id);
  return (
    <SidePanel
      title={t('editing.campaign.account.title')}
      id="account"
      help={has ? undefined : t('editing.campaign.account.none')}
    >
      {has && (
        <p>
          <Chip tone="spruce">{t('editing.campaign.account.there')}</Chip>
        </p>
      )}
    </SidePanel>
  );
}
