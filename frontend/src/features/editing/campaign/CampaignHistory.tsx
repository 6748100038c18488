import { useTranslation } from 'react-i18next';
import { isApiError } from '../../../api/apiError';
import { useCampaignRewardsQuery } from '../../../api/content';
import {
  useCampaignHistoryQuery,
  useCampaignPostPreviewsQuery,
  useChangeCampaignSettingsMutation,
  useLazyCampaignHistoryValueQuery,
  type HistoryChange,
  type HistoryField as ChangedField,
} from '../../../api/editing';
import { says, withWords } from '../../../ui/changes/says';
import { useChangeWords } from '../../../ui/changes/useChangeWords';
import { useKnown } from '../../../ui/changes/useKnown';
import { usePostName } from '../../../ui/usePostName';
import { HistoryDrawer, shownChanges } from '../history/HistoryDrawer';
import { HistoryField } from '../history/HistoryField';
import { HistoryValues } from '../history/HistoryValues';
import { languageNames } from '../languageNames';
import { cover, creator } from '../pictures/sizes';
import { isSame, ofLanguage } from '../partNames';
import { useAct } from '../useAct';
import { useEditor } from './useCampaignEditor';
import { nameOf, useValueText } from './historyTexts';
import { kindOf, type PartName } from './parts';
import { ownFields, ownFieldValue, restorableValue } from './restore';

export interface CampaignHistoryProps {
  isOpen: boolean;
  onClose: () => void;
}

/** Who changed what and when. Earlier texts and settings can be restored; where one cannot, its row says why. */
export function CampaignHistory({ isOpen, onClose }: CampaignHistoryProps) {
  const { campaignId } = useEditor();
  const history = useCampaignHistoryQuery(
    { campaignId, limit: shownChanges },
    { skip: !isOpen, refetchOnMountOrArgChange: true },
  );
  return (
    <HistoryDrawer isOpen={isOpen} onClose={onClose} history={withWords(history)}>
      {(change) =>
        change.entity === 'reward' || change.entity === 'post' ? (
          <Elsewhere change={change} />
        ) : change.fields.length === 0 ? (
          <Act action={change.action} />
        ) : (
          change.fields
            .filter(says)
            .map((field) => <Field key={field.path} changeId={change.id} field={field} />)
        )
      }
    </HistoryDrawer>
  );
}

/** What somebody did, where nothing was changed by it, such as taking the table of backers. */
function Act({ action }: { action: string }) {
  const words = useChangeWords(useKnown());
  return <HistoryField name={words.act(action)} />;
}

/** How many of a campaign's updates are named in its history, drafts and the newest first. */
const namedPosts = 100;

/** A field of the history, whose values may be anything. */
type BeforeAndAfter = Pick<ChangedField, 'path'> & Partial<Record<'before' | 'after', unknown>>;

/** A change of what has an editor of its own: which one, what was done, and each field before and after. */
function Elsewhere({ change: { action, entity, entity_id: id, fields } }: { change: HistoryChange }) {
  const { t } = useTranslation();
  const { campaignId, language } = useEditor();
  const rewards = useCampaignRewardsQuery({ campaignId, language }, { skip: entity !== 'reward' });
  const posts = useCampaignPostPreviewsQuery(
    { campaignId, language, limit: namedPosts },
    { skip: entity !== 'post' },
  );
  const words = useChangeWords(useKnown());
  const nameOfPost = usePostName();
  const post = posts.data?.previews.find((one) => one.id === id);
  const title = post
    ? nameOfPost(post)
    : rewards.data?.rewards.find(({ reward_id }) => reward_id === id)?.title;
  return (
    <>
      <HistoryField
        name={title ? `${words.act(action)}: ${title}` : words.act(action)}
        why={t('editing.campaign.history.elsewhere')}
      />
      {fields.filter(says).map(({ path, before, after }: BeforeAndAfter) => (
        <HistoryField key={path} name={words.field(path)}>
          <HistoryValues before={before} after={after} say={(one) => words.value({ entity, path }, one)} />
        </HistoryField>
      ))}
    </>
  );
}

interface FieldProps {
  changeId: number;
  field: ChangedField;
}

function Field({ changeId, field }: FieldProps) {
  const { path } = field;
  const [readValue, value] = useLazyCampaignHistoryValueQuery();
  const before: unknown = field.long ? value.data?.before : field.before;

  const { t } = useTranslation();
  const { parts, admin, set, campaignId, act } = useEditor();
  const taxonomy = useKnown();
  const words = useChangeWords(taxonomy);
  const textOf = useValueText(taxonomy);
  const text = ofLanguage(path);
  const [change] = useChangeCampaignSettingsMutation();
  const own = ownFields.find((one) => one === path);
  const { run, failure, isBusy } = useAct(act, (now) => own && now[own]);
  const part = Object.keys(parts).find((one): one is PartName => one === path);
  const name = nameOf(text?.field ?? path);
  // Of a long value the history has what was before; what came is what was before the next change, or is there now.
  const after: unknown = field.long ? value.data && (value.data.after ?? (part && parts[part])) : field.after;
  const label = [name ? t(name) : words.field(path), text && languageNames[text.language]]
    .filter(Boolean)
    .join(' · ');
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
  const isFixed = kindOf(admin, path) === 'fixed';
  // Before they have come nobody knows whether one is gone.
  const isUnknown = !taxonomy.isRead && (part === 'categories' || part === 'tags');
  const canPutBack = !isFixed && (earlier !== undefined || (own !== undefined && typeof before === 'string'));
  return (
    <HistoryField
      name={label}
      label={label}
      onRead={field.long && !value.data ? () => void readValue({ campaignId, changeId, path }) : undefined}
      isReading={value.isFetching}
      onPutBack={canPutBack ? putBack : undefined}
      isBusy={isBusy}
      isNow={isNow}
      why={
        isFixed || !isUnknown
          ? t(isFixed ? 'editing.campaign.approved.fixed' : whyNot(path, part))
          : undefined
      }
      error={failure ?? (isApiError(value.error) ? value.error : undefined)}
    >
      <HistoryValues
        before={before}
        after={after}
        isText={text !== undefined}
        ratio={ratios[path]}
        say={(one) => textOf(path, one) || words.value({ entity: 'campaign', path }, one)}
      />
    </HistoryField>
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

const ratios: Readonly<Record<string, number>> = { project_pic: cover.ratio, creator_pic: creator.ratio };
