import classes from './Chips.module.css';
import { IconButton } from './IconButton';
import { CloseIcon } from './icons';

export interface ChipsProps<Key> {
  /** What they are, for screen readers. */
  label: string;
  chosen: readonly { key: Key; name: string }[];
  /** What the button of one says. */
  remove: (name: string) => string;
  onRemove: (key: Key) => void;
}

/** What is chosen, each with a button that takes it away. Nothing without any. */
export function Chips<Key extends string | number>({ label, chosen, remove, onRemove }: ChipsProps<Key>) {
  if (chosen.length === 0) return null;
  return (
    <ul aria-label={label} className={classes.root}>
      {chosen.map(({ key, name }) => (
        <li key={key} className={classes.chip}>
          <span>{name}</span>
          <IconButton
            look="tool"
            icon={<CloseIcon size={16} />}
            label={remove(name)}
            onClick={() => onRemove(key)}
          />
        </li>
      ))}
    </ul>
  );
}
