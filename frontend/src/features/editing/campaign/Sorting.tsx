import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCampaignTagsQuery, useCategoriesQuery } from '../../../api/content';
import { useLanguage } from '../../../i18n';
import { IconButton } from '../../../ui/IconButton';
import { CloseIcon } from '../../../ui/icons';
import { TextField } from '../../../ui/fields';
import { ToggleButton } from '../../../ui/ToggleButton';
import { useWriting } from './context';
import { PartField } from './fields';
import { FieldTrouble } from './FieldTrouble';
import { SidePanel } from './SidePanel';
import classes from './Sorting.module.css';

/** How many different tags a campaign may have; the contract's bound. */
const mostTags = 10;

/** Where readers find the campaign: categories, tags and place. */
export function Sorting() {
  const { t } = useTranslation();
  const language = useLanguage();
  const { parts, set, refused } = useWriting();
  const { data } = useCategoriesQuery({ language });
  const chosen = parts.categories;
  const turn = (id: number) =>
    set('categories', chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id]);
  return (
    <SidePanel title={t('editing.campaign.sorting.title')} id="sorting" noted={['category']}>
      <fieldset className={classes.group}>
        <legend>{t('editing.campaign.sorting.categories')}</legend>
        <div className={classes.chips}>
          {data?.categories.map(({ id, label }) => (
            <ToggleButton key={id} look="chip" isPressed={chosen.includes(id)} onPress={() => turn(id)}>
              {label}
            </ToggleButton>
          ))}
        </div>
        <FieldTrouble error={refused.categories} />
      </fieldset>
      <Tags />
      <PartField part="place" label={t('editing.campaign.part.place')} maxLength={100} isOptional />
    </SidePanel>
  );
}

/** Tags are added by typing; those that begin alike are offered. */
function Tags() {
  const { t } = useTranslation();
  const language = useLanguage();
  const { parts, set, refused } = useWriting();
  const { data } = useCampaignTagsQuery({ language });
  const [typed, setTyped] = useState('');
  const [isUnknown, setUnknown] = useState(false);
  const list = useId();
  const all = data?.tags ?? [];
  const { tags } = parts;
  const isFull = tags.length >= mostTags;
  const find = (words: string) => all.find(({ label }) => same(label, words));
  const add = (words: string) => {
    const found = find(words);
    setUnknown(!found && words.trim() !== '');
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
            ? t('editing.campaign.sorting.full', { count: mostTags })
            : t('editing.campaign.sorting.tagsHelp')
        }
        error={isUnknown && t('editing.campaign.sorting.unknown', { tag: typed.trim() })}
        disabled={isFull}
        list={list}
        value={typed}
        onChange={({ currentTarget: { value } }) => {
          setUnknown(false);
          // A choice from the browser's list comes as the whole word at once.
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
      <FieldTrouble error={refused.tags} />
    </div>
  );
}

const same = (one: string, other: string) =>
  one.localeCompare(other.trim(), undefined, { sensitivity: 'base' }) === 0;
