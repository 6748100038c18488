import { useTranslation } from 'react-i18next';
import { isApiError } from '../../../api/apiError';
import {
  useCampaignHistoryQuery,
  useChangeCampaignSettingsMutation,
  useLazyCampaignHistoryValueQuery,
  type HistoryChange,
  type HistoryField,
} from '../../../api/editing';
import { useLanguage } from '../../../i18n';
import { useErrorText } from '../../../i18n/errorText';
import { formatDateTime } from '../../../i18n/format';
import { Drawer } from '../../../ui/Drawer';
import { EmptyState } from '../../../ui/EmptyState';
import { ErrorState } from '../../../ui/ErrorState';
import { LinesSkeleton } from '../../../ui/Skeletons';
import { TextButton } from '../../../ui/TextButton';
import { useOpenedAfterMount } from '../../../ui/useOpenedAfterMount';
import { Picture } from '../../../ui/Picture';
import { languageNames } from '../languageNames';
import { cover, creator } from '../pictures/sizes';
import { useWriting } from './context';
import { FieldErrorText } from './FieldErrorText';
import classes from './HistoryDrawer.module.css';
import { nameOf, useTaxonomy, useValueText } from './historyTexts';
import { isSame, ofLanguage, type PartName } from './parts';
import { ownFields, ownFieldValue, restorableValue, type Taxonomy } from './restore';
import { useConditionalUpdate } from './useConditionalUpdate';

/** How many changes are listed. */
const shown = 50;

export interface HistoryDrawerProps {
  isOpen: boolean;
  onClose: () => void;
}

/** Who changed what and when. Earlier texts and settings can be restored; where one cannot, its row says why. */
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

function Change({ change: { id, at, by, entity, fields } }: { change: HistoryChange }) {
  const { t } = useTranslation();
  const language = useLanguage();
  return (
    <li className={classes.change}>
      <p className={classes.who}>
        <b>{by.name || t('editing.campaign.history.itself')}</b>
        <time dateTime={at}>{formatDateTime(language, at)}</time>
      </p>
      {entity !== 'campaign' && (
        <div className={classes.field}>
          <p className={classes.name}>{t(`editing.campaign.history.${entity}`)}</p>
          <p className={classes.why}>{t('editing.campaign.history.elsewhere')}</p>
        </div>
      )}
      {entity === 'campaign' && fields.map((field) => <Field key={field.path} changeId={id} field={field} />)}
    </li>
  );
}

interface FieldProps {
  changeId: number;
  field: HistoryField;
}

function Field({ changeId, field }: FieldProps) {
  const { path } = field;
  const [readValue, value] = useLazyCampaignHistoryValueQuery();
  const before: unknown = field.long ? value.data?.before : field.before;
  const after: unknown = field.after;
  const { t } = useTranslation();
  const { parts, admin, set, campaignId } = useWriting();
  const taxonomy = useTaxonomy();
  const text = ofLanguage(path);
  const [change] = useChangeCampaignSettingsMutation();
  const own = ownFields.find((one) => one === path);
  const { run, failure, isBusy } = useConditionalUpdate((now) => own && now[own]);
  const part = Object.keys(parts).find((one): one is PartName => one === path);
  const name = nameOf(text?.field ?? path);
  const earlier = part && restorableValue(part, before, parts[part], taxonomy);
  const putBack = () => {
    if (part && earlier !== undefined) set(part, earlier);
    else if (own && typeof before === 'string')
      void run((ifMatch) =>
        change({
          campaignId,
          'If-Match': ifMatch,
          campaignSettingsChange: { [own]: ownFieldValue(before) },
        }),
      );
  };
  const isNow = part
    ? earlier !== undefined && isSame(earlier, parts[part])
    : own !== undefined && typeof before === 'string' && ownFieldValue(before) === admin[own];
  const canPutBack = earlier !== undefined || (own !== undefined && typeof before === 'string');
  return (
    <div className={classes.field}>
      <p className={classes.name}>
        {name ? t(name) : t('editing.campaign.history.settings')}
        {text && ` · ${languageNames[text.language]}`}
      </p>
      {field.long && !value.data ? (
        <TextButton
          look="inline"
          isDisabled={value.isFetching}
          onPress={() => void readValue({ campaignId, changeId, path })}
        >
          {t('editing.campaign.history.read')}
        </TextButton>
      ) : (
        <Value path={path} value={before} taxonomy={taxonomy} is="del" />
      )}
      <Value path={path} value={after} taxonomy={taxonomy} is="ins" />
      {canPutBack && !isNow && (
        <TextButton look="inline" onPress={putBack} isDisabled={isBusy}>
          {t('editing.campaign.history.putBack')}
        </TextButton>
      )}
      <FieldErrorText error={failure ?? (isApiError(value.error) ? value.error : undefined)} />
      {isNow && <p className={classes.why}>{t('editing.campaign.history.isNow')}</p>}
      {!canPutBack && !field.long && <p className={classes.why}>{t(whyNot(path, part))}</p>}
    </div>
  );
}

/** The text that says why a value cannot be restored here. */
function whyNot(path: string, part: PartName | undefined) {
  if (part === 'categories' || part === 'tags') return 'editing.campaign.history.gone';
  if (part) return 'editing.campaign.history.first';
  return ownPlace.has(path.split('.').at(-1) ?? '')
    ? 'editing.campaign.history.ownPlace'
    : 'editing.campaign.history.step';
}

/** Fields that are not restored here but edited in their own part of the page. */
const ownPlace = new Set([
  'subscriptions_goals',
  'content_variations',
  'team',
  'invitations',
  'project_pic_alt',
]);

interface ValueProps {
  path: string;
  value: unknown;
  taxonomy: Taxonomy;
  is: 'del' | 'ins';
}

/** A field's value in words or as a picture; nothing if it was empty or is not in the history. */
function Value({ path, value, taxonomy, is: Tag }: ValueProps) {
  const { t } = useTranslation();
  const textOf = useValueText(taxonomy);
  if (value === undefined || value === null || value === '') return null;
  const isPicture = path === 'project_pic' || path === 'creator_pic';
  if (isPicture && typeof value === 'string')
    return (
      <span className={classes.picture}>
        <span className="tk-visually-hidden">{t(`editing.campaign.history.${Tag}`)}</span>
        <Picture
          name={value}
          alt=""
          ratio={path === 'project_pic' ? cover.ratio : creator.ratio}
          widths={[160]}
          sizes="7.5rem"
          shape="thumb"
        />
      </span>
    );
  const said = textOf(path, value);
  return said ? <Tag>{said}</Tag> : null;
}
