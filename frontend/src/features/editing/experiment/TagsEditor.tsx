import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useExperimentTagsQuery } from '../../../api/experiments';
import { useLanguage } from '../../../i18n';
import { TextField } from '../../../ui/fields';
import { IconButton } from '../../../ui/IconButton';
import { CloseIcon } from '../../../ui/icons';
import { FieldErrorText } from '../campaign/FieldErrorText';
import { SidePanel } from '../campaign/SidePanel';
import classes from './ExperimentEditor.module.css';
import { useWriting } from './useExperimentWriting';

/** How many different tags an experiment may have; the contract's bound. */
const mostTags = 10;

/** Tags are added by typing; those that begin alike are offered. */
export function TagsEditor() {
  const { t } = useTranslation();
  const language = useLanguage();
  const { parts, set, refused } = useWriting();
  const { data } = useExperimentTagsQuery({ language });
  const [typed, setTyped] = useState('');
  const [isUnknown, setUnknown] = useState(false);
  const list = useId();
  const all = data?.tags ?? [];
  const { tags } = parts;
  const find = (words: string) =>
    all.find(({ label }) => label.localeCompare(words.trim(), undefined, { sensitivity: 'base' }) === 0);
  const add = (words: string) => {
    const found = find(words);
    setUnknown(!found && words.trim() !== '');
    if (!found) return;
    setTyped('');
    if (!tags.some(({ id }) => id === found.id)) set('tags', [...tags, found]);
  };
  return (
    <SidePanel title={t('experimentEdit.tags.title')} id="tags">
      <ul className={classes.chips}>
        {tags.map(({ id, label }) => (
          <li key={id} className={classes.chip}>
            {all.find((tag) => tag.id === id)?.label ?? label}
            <IconButton
              look="tool"
              label={t('experimentEdit.tags.remove', { tag: label })}
              icon={<CloseIcon size={16} />}
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
      <TextField
        label={t('experimentEdit.tags.add')}
        help={t('experimentEdit.tags.help', { count: mostTags })}
        error={isUnknown && t('experimentEdit.tags.unknown', { tag: typed.trim() })}
        disabled={tags.length >= mostTags}
        list={list}
        value={typed}
        onChange={({ currentTarget: { value } }) => {
          setUnknown(false);
          // A choice from the browser's list comes as the whole word at once.
          if (value.length > typed.length + 1 && find(value)) add(value);
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
      <FieldErrorText error={refused.tags} />
    </SidePanel>
  );
}
