import { useTranslation } from 'react-i18next';
import { useExperimentTagsQuery } from '../../../api/experiments';
import { useLanguage } from '../../../i18n';
import { TagField } from '../../../ui/TagField';
import { FieldErrorText } from '../campaign/FieldErrorText';
import { SidePanel } from '../campaign/SidePanel';
import { useEditor } from './useExperimentEditor';

/** How many different tags an experiment may have; the contract's bound. */
const mostTags = 10;

/** The experiment's tags. */
export function TagsEditor() {
  const { t } = useTranslation();
  const language = useLanguage();
  const { parts, set, refused } = useEditor();
  const { data } = useExperimentTagsQuery({ language });
  return (
    <SidePanel title={t('experimentEdit.tags.title')} id="tags">
      <TagField
        tags={parts.tags}
        all={data?.tags}
        most={mostTags}
        onChange={(next) => set('tags', [...next])}
        label={t('experimentEdit.tags.add')}
        help={t('experimentEdit.tags.help', { count: mostTags })}
        listLabel={t('experimentEdit.tags.title')}
        unknown={(tag) => t('experimentEdit.tags.unknown', { tag })}
        remove={(tag) => t('experimentEdit.tags.remove', { tag })}
      />
      <FieldErrorText error={refused.tags} />
    </SidePanel>
  );
}
