import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCampaignTagsQuery, useCategoriesQuery } from '../../../api/content';
import { useLanguage } from '../../../i18n';
import { ErrorState } from '../../../ui/ErrorState';
import { IconButton } from '../../../ui/IconButton';
import { CloseIcon } from '../../../ui/icons';
import { TextField } from '../../../ui/fields';
import { ToggleButton } from '../../../ui/ToggleButton';
import { Conflict } from './Conflict';
import { useWriting } from './context';
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
  const { parts, set, refused } = useWriting();
  const { data, error, refetch } = useCategoriesQuery({ language });
  const chosen = parts.categories;
  const turn = (id: number) =>
    set('categories', chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id]);
  return (
    <SidePanel title={t('editing.campaign.sorting.title')} id="sorting" reviewParts={['category']}>
      <Conflict place="sorting" />
      <fieldset className={classes.group}>
        <legend>{t('editing.campaign.sorting.categories')}</legend>
        {error && !data && <ErrorState onRetry={refetch} />}
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

/** Tags are added by typing; the browser suggests those that match. */
function Tags() {
  const { t } = useTranslation();
  const language = useLanguage();
  const { parts, set, refused } = useWriting();
  const { data, error, refetch } = useCampaignTagsQuery({ language });
  const [typed, setTyped] = useState('');
  const [isUnknown, setUnknown] = useState(false);
  const list = useId();
  const all = data?.tags ?? [];
  const { tags } = parts;
  const isFull = tags.length >= maxTags;
  const find = (words: string) => all.find(({ label }) => same(label, words));
  const add = (words: string) => {
    const found = find(words);
    // While the list has not come nobody knows.
    setUnknown(data !== undefined && !found && words.trim() !== '');
    if (!found) return;
    setTyped('');
    if (!tags.some(({ id }) => id === found.id)) set('tags', [...tags, found]);
  };
  return (
    <div className={classes.group}>
      <TextField
        label={t('editing.campaign.sorting.tags')}
        help={
          isFull
            ? t('editing.campaign.sorting.full', { count: maxTags })
            : t('editing.campaign.sorting.tagsHelp')
        }
        error={isUnknown && t('editing.campaign.sorting.unknown', { tag: typed.trim() })}
        disabled={isFull}
        list={list}
        value={typed}
        onChange={({ currentTarget: { value } }) => {
          setUnknown(false);
          // A choice from the browser's suggestions arrives as one change with the whole tag.
          if (value.length > typed.length + 1 && find(value)) add(value);
          else if (value.endsWith(',')) add(value.slice(0, -1));
          else setTyped(value);
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          event.preventDefault();
          add(typed);
        }}
        onBlur={() => add(typed)}
      />
      {error && !data && <ErrorState onRetry={refetch} />}
      <datalist id={list}>
        {all
          .filter(({ id }) => !tags.some((tag) => tag.id === id))
          .map(({ id, label }) => (
            <option key={id} value={label} />
          ))}
      </datalist>
      <ul className={classes.chips}>
        {tags.map(({ id, label }) => (
          <li key={id} className={classes.tag}>
            {all.find((tag) => tag.id === id)?.label ?? label}
            <IconButton
              look="tool"
              label={t('editing.campaign.sorting.remove', { tag: label })}
              icon={<CloseIcon size={16} />}
              className={classes.remove}
              onClick={() =>
                set(
                  'tags',
                  tags.filter((tag) => tag.id !== id),
                )
              }
            />
          </li>
        ))}
      </ul>
      <FieldErrorText error={refused.tags} />
    </div>
  );
}

const same = (one: string, other: string) =>
  one.localeCompare(other.trim(), undefined, { sensitivity: 'base' }) === 0;
