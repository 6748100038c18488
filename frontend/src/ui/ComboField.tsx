import { useEffect, useId, useState, type KeyboardEvent, type Ref } from 'react';
import classes from './ComboField.module.css';
import { TextField, type FieldWords } from './fields';
import { Picture } from './Picture';

/** One of those that are offered. */
export interface ComboOption {
  id: number;
  name: string;
  /** A line below the name. */
  about?: string;
  /** A round picture before it. */
  image?: string;
}

export interface ComboFieldProps extends FieldWords {
  value: string;
  onType: (text: string) => void;
  /** What is offered for what is typed, in a list below the field. */
  options: readonly ComboOption[];
  /** The list's name. */
  listLabel: string;
  onChoose: (option: ComboOption) => void;
  maxLength?: number;
  ref?: Ref<HTMLInputElement>;
  readOnly?: boolean;
  /** All are offered before anything is typed, once the field is pressed or the arrow keys are. */
  opensEmpty?: boolean;
  /** Enter without a choice, which is left to the form otherwise. */
  onEnter?: () => void;
  onLeave?: () => void;
}

/**
 * A text field with a list of what is found (the combobox pattern of ARIA): the arrow keys go through the list while the
 * focus stays in the field, Enter or a press chooses, Escape closes.
 */
export function ComboField({
  value,
  onType,
  options,
  listLabel,
  onChoose,
  maxLength,
  ref,
  readOnly,
  opensEmpty = false,
  onEnter,
  onLeave,
  ...words
}: ComboFieldProps) {
  const list = useId();
  const [active, setActive] = useState(-1);
  const [isClosed, setClosed] = useState(opensEmpty);
  const isOpen = !isClosed && (opensEmpty || value.trim() !== '') && options.length > 0;
  const chosen = isOpen ? options[active] : undefined;
  useEffect(() => {
    if (active >= 0) document.getElementById(`${list}-${active}`)?.scrollIntoView({ block: 'nearest' });
  }, [active, list]);
  const close = () => {
    setClosed(true);
    setActive(-1);
  };
  const move = (step: 1 | -1) => {
    setClosed(false);
    const count = options.length;
    // Before the first comes the last one: the list goes round.
    if (count > 0) setActive(active < 0 && step < 0 ? count - 1 : (active + step + count) % count);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      move(event.key === 'ArrowDown' ? 1 : -1);
    } else if (event.key === 'Escape' && isOpen) {
      event.stopPropagation();
      close();
    } else if (event.key === 'Enter' && chosen) {
      event.preventDefault();
      close();
      onChoose(chosen);
    } else if (event.key === 'Enter' && onEnter) {
      event.preventDefault();
      onEnter();
    }
  };
  return (
    <div className={classes.root}>
      <TextField
        {...words}
        ref={ref}
        readOnly={readOnly}
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={isOpen}
        aria-controls={isOpen ? list : undefined}
        aria-activedescendant={chosen && `${list}-${active}`}
        autoComplete="off"
        maxLength={maxLength}
        value={value}
        onKeyDown={onKeyDown}
        onClick={() => opensEmpty && setClosed(false)}
        onBlur={() => {
          if (opensEmpty) close();
          onLeave?.();
        }}
        onChange={({ currentTarget }) => {
          setActive(-1);
          setClosed(false);
          onType(currentTarget.value);
        }}
      />
      {isOpen && (
        <div
          id={list}
          role="listbox"
          aria-label={listLabel}
          className={`${classes.list} ${opensEmpty ? classes.long : ''}`}
        >
          {options.map((option, place) => (
            <button
              key={option.id}
              id={`${list}-${place}`}
              type="button"
              role="option"
              tabIndex={-1}
              aria-selected={place === active}
              className={classes.option}
              onPointerDown={(event) => event.preventDefault()} // The field keeps the focus.
              onClick={() => {
                close();
                onChoose(option);
              }}
            >
              {option.image && (
                <Picture
                  name={option.image}
                  alt=""
                  ratio={1}
                  widths={[80, 160]}
                  sizes="2.25rem"
                  shape="round"
                  className={classes.face}
                />
              )}
              <span>
                <b>{option.name}</b>
                {option.about && <span>{option.about}</span>}
              </span>
            </button>
          ))}
        </div>
      )}
    </div>
  );
}
