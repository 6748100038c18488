import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import type { CampaignRow } from '../../../api/staff';
import { foreignLang } from '../../../domain/languages';
import { paths } from '../../../domain/paths';
import { campaignStageName, campaignStages, isRecurring } from '../../../domain/stages';
import { timeLeft } from '../../../domain/timeLeft';
import { useLanguage } from '../../../i18n';
import { formatMoney, formatPastDay, timeLeftText } from '../../../i18n/format';
import { Button } from '../../../ui/Button';
import { Chip, type ChipProps } from '../../../ui/Chip';
import table from '../../../ui/table/Table.module.css';
import { useNow } from '../../../ui/useNow';
import classes from './Campaigns.module.css';
import { holdAct } from './holdAct';

const tones: Readonly<Record<number, NonNullable<ChipProps['tone']>>> = {
  [campaignStages.preparing]: 'info',
  [campaignStages.funding]: 'spruce',
  [campaignStages.recurring]: 'spruce',
  [campaignStages.closed]: 'danger',
};

export interface CampaignTableRowProps {
  row: CampaignRow;
  onClose: () => void;
  /** Stops it, or lets it go on; of a stopped one, pays its creator, or holds that. */
  onHold: () => void;
}

/** One campaign of the table, with the ways to its pages and its end. */
export function CampaignTableRow({ row, onClose, onHold }: CampaignTableRowProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { campaign_id: id, slug, title, stage, review, currency } = row;
  const named = { id, slug, title };
  const name = title || t('staff.campaigns.untitled');
  const hold = holdAct(row);
  const money = (amount: number) => formatMoney(language, amount, { cents: false, currency });
  return (
    <tr className={table.row}>
      <td>{id}</td>
      <th scope="row" lang={foreignLang(row.language, language)} title={title}>
        {name}
      </th>
      <td title={row.creator}>{row.creator}</td>
      <td>
        <span className={table.chips}>
          <Chip tone={tones[stage]}>{t(`stage.${campaignStageName(stage) ?? 'draft'}`)}</Chip>
          {row.hold && <Chip tone="cloud">{t(row.hold === 'on_hold' ? 'stage.held' : 'stage.stopped')}</Chip>}
          {stage === campaignStages.draft && review !== 'none' && (
            <Chip tone={review === 'changes_requested' ? 'cloud' : 'info'}>
              {t(`staff.campaigns.review.${review}`)}
            </Chip>
          )}
        </span>
      </td>
      <td>{isRecurring(stage) ? '–' : `${money(row.raised)} / ${money(row.goal)}`}</td>
      <td>
        <Deadline row={row} />
      </td>
      <td>
        <span className={classes.acts}>
          <Link
            to={paths.campaign(language, named)}
            aria-label={`${t('staff.campaigns.page')}: ${name}`}
            className={table.open}
          >
            {t('staff.campaigns.page')}
          </Link>
          <Link
            to={paths.campaignMode(language, named, 'overview')}
            aria-label={`${t('staff.campaigns.overview')}: ${name}`}
            className={table.open}
          >
            {t('staff.campaigns.overview')}
          </Link>
          {hold && (
            <Button
              variant="transparent"
              size="sm"
              aria-label={`${t(`staff.campaigns.hold.${hold}`)}: ${name}`}
              onClick={onHold}
            >
              {t(`staff.campaigns.hold.${hold}`)}
            </Button>
          )}
          {stage !== campaignStages.draft && stage !== campaignStages.closed && (
            <Button
              variant="transparent"
              size="sm"
              color="danger"
              aria-label={`${t('staff.campaigns.close')}: ${name}`}
              onClick={onClose}
            >
              {t('staff.campaigns.close')}
            </Button>
          )}
        </span>
      </td>
    </tr>
  );
}

function Deadline({ row }: { row: CampaignRow }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const now = useNow();
  if (!row.funding_deadline) return '–';
  const left = timeLeftText(timeLeft(new Date(row.funding_deadline).getTime(), now));
  if (left.key === 'time.over') return formatPastDay(language, row.funding_deadline, now);
  return t(left.key, { count: left.count });
}
