import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { paths } from '../../../domain/paths';
import { useLanguage } from '../../../i18n';
import { Chip } from '../../../ui/Chip';
import { useEditor } from './useCampaignEditor';
import { SidePanel } from './SidePanel';

/** Whether the campaign has a payout account, and the way to its creator's page, where one is linked. */
export function Account() {
  const { t } = useTranslation();
  const language = useLanguage();
  const { settings } = useEditor().admin;
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
      <p>
        <Link to={paths.payouts(language)}>{t('editing.campaign.account.open')}</Link>
      </p>
    </SidePanel>
  );
}
