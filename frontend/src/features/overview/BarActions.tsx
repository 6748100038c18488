import { useTranslation } from 'react-i18next';
import type { Campaign } from '../../api/content';
import { useLazyBackersTableQuery, useLazySupportersTableQuery } from '../../api/editing';
import { campaignStages } from '../../domain/stages';
import { useLanguage } from '../../i18n';
import { Button } from '../../ui/Button';
import { PencilIcon } from '../../ui/editIcons';
import { useWritePost } from '../../ui/modes/useWritePost';
import { useNotify } from '../../ui/notify';
import { saveSheet } from '../../ui/saveFile';

export interface BarActionsProps {
  campaign: Campaign;
  /** It takes monthly support, or has. */
  isMonthly: boolean;
  /** Undefined for a campaign that is not open, has no goal or has reached it. */
  daysLeft?: number;
}

/** The end of the mode bar: days left, the backers as a CSV file, and writing an update. A draft has none of them. */
export function BarActions({ campaign, isMonthly, daysLeft }: BarActionsProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const notify = useNotify();
  const [fetchBackers, backers] = useLazyBackersTableQuery();
  const [fetchSupporters, supporters] = useLazySupportersTableQuery();
  const fetchTable = isMonthly ? fetchSupporters : fetchBackers;
  const { write, isBusy } = useWritePost({ ...campaign, id: campaign.campaign_id });
  const download = async () => {
    const { data } = await fetchTable({ campaignId: campaign.campaign_id, language });
    if (data === undefined)
      notify({ tone: 'error', title: t('overview.tableFailed'), text: t('overview.tableFailedText') });
    else saveSheet(data, campaign.slug);
  };
  if (campaign.stage === campaignStages.draft) return <span>{t('mode.draft')}</span>;
  return (
    <>
      {daysLeft !== undefined && <span>{t('overview.status', { count: daysLeft })}</span>}
      <Button
        variant="outline"
        size="sm"
        loading={backers.isFetching || supporters.isFetching}
        onClick={() => void download()}
      >
        {t('overview.table')}
      </Button>
      <Button size="sm" leftSection={<PencilIcon size={16} />} loading={isBusy} onClick={write}>
        {t('overview.write')}
      </Button>
    </>
  );
}
