import { useTranslation } from 'react-i18next';
import { isApiError } from '../../../api/apiError';
import {
  useExperimentHistoryQuery,
  useExperimentTagsQuery,
  useLazyExperimentHistoryValueQuery,
  type HistoryField as ChangedField,
} from '../../../api/experiments';
import { experimentStageName } from '../../../domain/stages';
import { useLanguage } from '../../../i18n';
import { says, withWords } from '../../../ui/changes/says';
import { useChangeWords, type Known } from '../../../ui/changes/useChangeWords';
import { HistoryDrawer, shownChanges } from '../history/HistoryDrawer';
import { HistoryField } from '../history/HistoryField';
import { HistoryValues } from '../history/HistoryValues';
import { isSame } from '../partNames';
import { useFieldName } from './historyNames';
import { fieldsOf, partOfPath, valueOf } from './historyParts';
import { wordsOf } from './parts';
import { useEditor } from './useExperimentEditor';

export interface ExperimentHistoryProps {
  isOpen: boolean;
  onClose: () => void;
}

/** Who changed what and when. Earlier texts and settings can be put back; where one cannot, its row says why. */
export function ExperimentHistory({ isOpen, onClose }: ExperimentHistoryProps) {
  const { experimentId } = useEditor();
  const history = useExperimentHistoryQuery(
    { experimentId, limit: shownChanges },
    { skip: !isOpen, refetchOnMountOrArgChange: true },
  );
  return (
    <HistoryDrawer isOpen={isOpen} onClose={onClose} history={withWords(history)}>
      {({ id, fields }) =>
        fieldsOf(fields)
          .filter(says)
          .map((field) => <Field key={field.path} changeId={id} field={field} />)
      }
    </HistoryDrawer>
  );
}

function Field({ changeId, field }: { changeId: number; field: ChangedField }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const nameOf = useFieldName();
  const say = useSay();
  const { experimentId, parts, set } = useEditor();
  const { data } = useExperimentTagsQuery({ language });
  const tags = data?.tags ?? [];
  const [readValue, value] = useLazyExperimentHistoryValueQuery();
  const { path } = field;
  const before: unknown = field.long ? value.data?.before : field.before;
  const part = partOfPath(path);
  const earlier = part && valueOf(part, before, parts[part], tags);
  const after: unknown = field.long
    ? value.data && (value.data.after ?? (part && parts[part]))
    : ((part && valueOf(part, field.after, parts[part], tags)) ?? field.after);
  return (
    <HistoryField
      name={nameOf(path)}
      label={nameOf(path)}
      onRead={field.long && !value.data ? () => void readValue({ experimentId, changeId, path }) : undefined}
      isReading={value.isFetching}
      onPutBack={part && earlier !== undefined ? () => set(part, earlier) : undefined}
      isNow={part && earlier !== undefined && isSame(earlier, parts[part])}
      why={t(part ? 'editing.campaign.history.first' : 'editing.campaign.history.ownPlace')}
      error={isApiError(value.error) ? value.error : undefined}
    >
      <HistoryValues
        before={earlier ?? before}
        after={after}
        ratio={path === 'image' ? 1.6 : undefined}
        say={(one) => say(path, one)}
      />
    </HistoryField>
  );
}

function useSay() {
  const { t } = useTranslation();
  const words = useChangeWords(nothingKnown);
  return (path: string, value: unknown): string => {
    const stage = path === 'stage' ? experimentStageName(Number(value)) : undefined;
    if (stage) return t(`experimentStage.${stage}`);
    if (path === 'show_in') {
      const flags = value as Partial<Record<(typeof lists)[number], boolean>>;
      return lists
        .filter((list) => flags[list])
        .map((list) => t(`experimentEdit.showIn.${list}`))
        .join(', ');
    }
    if (typeof value === 'boolean')
      return t(value ? 'editing.campaign.history.on' : 'editing.campaign.history.off');
    return wordsOf(value) || words.value({ entity: 'experiment', path }, value);
  };
}

/** Tags are parts of the page, which have their words already. */
const nothingKnown: Known = { categories: [], tags: [] };

const lists = ['front_page', 'index'] as const;
