import { useTranslation } from 'react-i18next';
import { useCampaignTagsQuery, useCategoriesQuery } from '../../../api/content';
import { useLanguage } from '../../../i18n';
import { ErrorState } from '../../../ui/ErrorState';
import { TagField } from '../../../ui/TagField';
import { ToggleButton } from '../../../ui/ToggleButton';
import { Unread } from '../../../ui/Unread';
import { Conflict } from './Conflict';
import { useEditor } from './useCampaignEditor';
import { PartField } from './fields';
import { FieldErrorText } from './FieldErrorText';
import { SidePanel } from './SidePanel';
import classes from './CategoriesAndTags.module.css';

/** How many different tags a campaign may have; the contract's bound. */
const maxTags = 10;

/** Categories, tags and place, by which visitors find the campaign. */
export function CategoriesAndTags() {
  const { t } = useTranslation();
  const language = useLanguage();
  const { parts, set, refused } = useEditor();
  const call = useCategoriesQuery({ language });
  const { data } = call;
  const chosen = parts.categories;
  const turn = (id: number) =>
    set('categories', chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id]);
  return (
    <SidePanel title={t('editing.campaign.sorting.title')} id="sorting" reviewParts={['category']}>
      <Conflict place="sorting" />
      <fieldset className={classes.group}>
        <legend>{t('editing.campaign.sorting.categories')}</legend>
        {!data && <Unread of={call} where="CategoriesAndTags" lines={2} />}
        <div className={classes.chips}>
          {data?.categories.map(({ id, label }) => (
            <ToggleButton key={id} look="chip" isPressed={chosen.includes(id)} onPress={() => turn(id)}>
              {label}
            </ToggleButton>
          ))}
        </div>
        <FieldErrorText error={refused.categories} />
      </fieldset>
      <Tags />
      <PartField part="place" label={t('editing.campaign.part.place')} maxLength={100} isOptional />
    </SidePanel>
  );
}

function Tags() {
  const { t } = useTranslation();
  const language = useLanguage();
  const { parts, set, refused } = useEditor();
  const { data, isError, refetch } = useCampaignTagsQuery({ language });
  const { tags } = parts;
  return (
    <div className={classes.group}>
      <TagField
        tags={tags}
        all={data?.tags}
        most={maxTags}
        onChange={(next) => set('tags', [...next])}
        label={t('editing.campaign.sorting.tags')}
        help={
          tags.length >= maxTags
            ? t('editing.campaign.sorting.full', { count: maxTags })
            : t('editing.campaign.sorting.tagsHelp')
        }
        listLabel={t('editing.campaign.sorting.tags')}
        unknown={(tag) => t('editing.campaign.sorting.unknown', { tag })}
        remove={(tag) => t('editing.campaign.sorting.remove', { tag })}
      />
      {isError && !data && <ErrorState onRetry={refetch} />}
      <FieldErrorText error={refused.tags} />
    </div>
  );
}
