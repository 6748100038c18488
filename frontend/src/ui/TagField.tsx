import { useRef, useState } from 'react';
import { Chips } from './Chips';
import { ComboField } from './ComboField';
import classes from './TagField.module.css';

/** One of the platform's tags. */
export interface Tag {
  id: number;
  label: string;
}

export interface TagFieldProps {
  /** What is chosen. A tag of another language than the page's is named as `all` has it. */
  tags: readonly Tag[];
  /** Those that there are; undefined until they have come. */
  all: readonly Tag[] | undefined;
  most: number;
  onChange: (tags: readonly Tag[]) => void;
  label: string;
  help: string;
  /** The list's name, and that of what is chosen. */
  listLabel: string;
  /** Says that a word is none of the tags. */
  unknown: (word: string) => string;
  /** What the button of a chosen tag says. */
  remove: (name: string) => string;
}

/** Chooses of the platform's tags: a list that narrows to what is typed, and what is chosen above it. */
export function TagField({
  tags,
  all,
  most,
  onChange,
  label,
  help,
  listLabel,
  unknown,
  remove,
}: TagFieldProps) {
  const field = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState('');
  const [isUnknown, setUnknown] = useState(false);
  const isFull = tags.length >= most;
  const free = (all ?? []).filter(({ id }) => !tags.some((tag) => tag.id === id));
  const add = (tag: Tag) => {
    setTyped('');
    setUnknown(false);
    if (!isFull && !tags.some(({ id }) => id === tag.id))
      onChange([...tags, { id: tag.id, label: tag.label }]);
  };
  /** Takes a whole word, also in other letters; while the tags have not come nobody knows whether it is one. */
  const addWord = (word: string) => {
    const found = all?.find((tag) => isSame(tag.label, word));
    if (found) add(found);
    else setUnknown(all !== undefined && word.trim() !== '');
  };
  return (
    <div className={classes.root}>
      <Chips
        label={listLabel}
        chosen={tags.map(({ id, label: own }) => ({
          key: id,
          name: all?.find((tag) => tag.id === id)?.label ?? own,
        }))}
        remove={remove}
        onRemove={(key) => {
          onChange(tags.filter(({ id }) => id !== key));
          field.current?.focus(); // The button that had the focus is gone.
        }}
      />
      <ComboField
        ref={field}
        label={label}
        help={help}
        error={isUnknown && unknown(typed.trim())}
        readOnly={isFull}
        value={typed}
        opensEmpty
        options={free
          .filter((tag) => !isFull && folded(tag.label).includes(folded(typed)))
          .map(({ id, label: name }) => ({ id, name }))}
        listLabel={listLabel}
        onType={(text) => {
          setUnknown(false);
          if (text.endsWith(',')) addWord(text.slice(0, -1));
          else setTyped(text);
        }}
        onEnter={() => addWord(typed)}
        onLeave={() => addWord(typed)}
        onChoose={({ id, name }) => add({ id, label: name })}
      />
    </div>
  );
}

const folded = (text: string) => text.trim().toLocaleLowerCase();

const isSame = (one: string, other: string) =>
  one.localeCompare(other.trim(), undefined, { sensitivity: 'base' }) === 0;
