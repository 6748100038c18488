import { useTranslation } from 'react-i18next';
import type { Campaign } from '../../api/content';
import { useLazyBackersTableQuery } from '../../api/editing';
import { campaignStages } from '../../domain/stages';
import { useLanguage } from '../../i18n';
import { Button } from '../../ui/Button';
import { PencilIcon } from '../../ui/editIcons';
import { useWritePost } from '../../ui/modes/useWritePost';
import { useNotify } from '../../ui/notify';

export interface BarActionsProps {
  campaign: Campaign;
  daysLeft?: number;
}

/** At the end of the bar: the time left, the backers as a file, a new update. A draft has none of them yet. */
export function BarActions({ campaign, daysLeft }: BarActionsProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const notify = useNotify();
  const [fetchTable, { isFetching }] = useLazyBackersTableQuery();
  const { write, isBusy } = useWritePost({ ...campaign, id: campaign.campaign_id });
  const download = async () => {
    const { data } = await fetchTable({ campaignId: campaign.campaign_id, language });
    if (data === undefined)
      notify({ tone: 'error', title: t('overview.tableFailed'), text: t('overview.tableFailedText') });
    else
      // The contract's binary is read as text.
      saveFile(data as unknown as string, `${campaign.slug}.csv`);
  };
  if (campaign.stage === campaignStages.draft) return <span>{t('mode.draft')}</span>;
  return (
    <>
      {daysLeft !== undefined && <span>{t('overview.status', { count: daysLeft })}</span>}
      <Button variant="outline" size="sm" loading={isFetching} onClick={() => void download()}>
        {t('overview.table')}
      </Button>
      <Button size="sm" leftSection={<PencilIcon size={16} />} loading={isBusy} onClick={write}>
        {t('overview.write')}
      </Button>
    </>
  );
}

/** Reading an answer as text drops the mark by which spreadsheets know UTF-8, so it is put back. */
function saveFile(csv: string, name: string) {
  const address = URL.createObjectURL(new Blob(['\uFEFF', csv], { type: 'text/csv;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address));
}
