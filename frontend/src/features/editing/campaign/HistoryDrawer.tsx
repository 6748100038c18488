import { useTranslation } from 'react-i18next';
import { isApiError } from '../../../api/apiError';
import { useCampaignHistoryQuery, type HistoryChange, type HistoryField } from '../../../api/editing';
import { useLanguage } from '../../../i18n';
import { useErrorText } from '../../../i18n/errorText';
import { formatDateTime } from '../../../i18n/format';
import { Drawer } from '../../../ui/Drawer';
import { EmptyState } from '../../../ui/EmptyState';
import { ErrorState } from '../../../ui/ErrorState';
import { LinesSkeleton } from '../../../ui/Skeletons';
import { TextButton } from '../../../ui/TextButton';
import { useOpenedAfterMount } from '../../../ui/useOpenedAfterMount';
import { languageNames } from '../languageNames';
import { useWriting } from './context';
import classes from './HistoryDrawer.module.css';
import { ofLanguage, type PartName } from './parts';

/** How many changes are listed. */
const shown = 50;

export interface HistoryDrawerProps {
  isOpen: boolean;
  onClose: () => void;
}

/** Who changed what and when; what a text said before can be put back. */
export function HistoryDrawer({ isOpen, onClose }: HistoryDrawerProps) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const { campaignId } = useWriting();
  const { data, error, refetch } = useCampaignHistoryQuery(
    { campaignId, limit: shown },
    { skip: !isOpen, refetchOnMountOrArgChange: true },
  );
  return (
    <Drawer
      isOpen={useOpenedAfterMount(isOpen)}
      onClose={onClose}
      title={t('editing.campaign.history.title')}
      closeLabel={t('action.close')}
    >
      {data ? (
        data.changes.length === 0 ? (
          <EmptyState title={t('editing.campaign.history.empty')} />
        ) : (
          <ol className={classes.list}>
            {data.changes.map((change) => (
              <Change key={change.id} change={change} />
            ))}
          </ol>
        )
      ) : error ? (
        <ErrorState onRetry={refetch}>{isApiError(error) && errorText(error, 'HistoryDrawer')}</ErrorState>
      ) : (
        <LinesSkeleton lines={8} />
      )}
    </Drawer>
  );
}

function Change({ change: { at, by, entity, fields } }: { change: HistoryChange }) {
  const { t } = useTranslation();
  const language = useLanguage();
  return (
    <li className={classes.change}>
      <p className={classes.who}>
        <b>{by.name || t('editing.campaign.history.itself')}</b>
        <time dateTime={at}>{formatDateTime(language, at)}</time>
      </p>
      {entity !== 'campaign' && <p className={classes.field}>{t(`editing.campaign.history.${entity}`)}</p>}
      {entity === 'campaign' && fields.map((field) => <Field key={field.path} field={field} />)}
    </li>
  );
}

function Field({ field: { path, before, after } }: { field: HistoryField }) {
  const { t } = useTranslation();
  const { parts, set } = useWriting();
  const text = ofLanguage(path);
  const name = partNames.find((one) => one === (text?.field ?? path));
  const isPart = path in parts;
  const canPutBack = isPart && typeof before === 'string' && typeof parts[path as PartName] === 'string';
  return (
    <div className={classes.field}>
      <p className={classes.name}>
        {name ? t(`editing.campaign.part.${name}`) : t('editing.campaign.history.settings')}
        {text && ` · ${languageNames[text.language]}`}
      </p>
      {typeof before === 'string' && before && <del>{before}</del>}
      {typeof after === 'string' && after && <ins>{after}</ins>}
      {canPutBack && parts[path as PartName] !== before && (
        <TextButton look="inline" onPress={() => set(path as PartName, before)}>
          {t('editing.campaign.history.putBack')}
        </TextButton>
      )}
    </div>
  );
}

/** The parts that the texts have names for. */
const partNames = [
  'title',
  'tagline',
  'short_description',
  'about_creator',
  'match_funding',
  'place',
  'contact_email',
  'legal_creator',
  'external_link_1',
  'min_goal',
  'target_goal',
  'first_day_of_funding',
  'last_day_of_funding',
  'hideFundingAmount',
  'hideMemberCount',
] as const;
