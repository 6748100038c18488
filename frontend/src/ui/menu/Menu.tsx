import { useEffect, useRef, type KeyboardEvent } from 'react';
import classes from './Menu.module.css';
import { MenuRow, type Row } from './MenuRow';

export interface MenuProps {
  /** The accessible name. */
  label: string;
  /** The rows in groups, with a line between them. */
  groups: readonly (readonly Row[])[];
  /** Called when a row is chosen or a key closes the menu. The focus goes back to the opener, unless it is on its way elsewhere. */
  onClose: (keepsFocus?: boolean) => void;
}

/** The rows of an open menu: arrows, Home, End and first letters move the focus, Escape and Tab close it. */
export function Menu({ label, groups, onClose }: MenuProps) {
  const root = useRef<HTMLDivElement>(null);
  const items = () => [...(root.current?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])];
  useEffect(() => items()[0]?.focus({ preventScroll: true }), []);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Tab') {
      onClose(); // The browser goes on from the opener.
      return;
    }
    if (event.key === 'Escape') {
      onClose();
      return;
    }
    const all = items();
    const next = itemAfter(event.key, all, all.indexOf(document.activeElement as HTMLElement));
    if (!next) return;
    event.preventDefault();
    next.focus();
  };

  return (
    // eslint-disable-next-line jsx-a11y/interactive-supports-focus -- its items have the focus
    <div ref={root} role="menu" aria-label={label} onKeyDown={onKeyDown}>
      {groups.map((rows) => (
        <div key={rows[0]?.label} role="group" className={classes.group}>
          {rows.map((row) => (
            <MenuRow
              key={row.label}
              row={row}
              look="menu"
              // A page that opens takes the focus to its heading.
              onChoose={(chosen) => onClose('to' in chosen)}
            />
          ))}
        </div>
      ))}
    </div>
  );
}

/** The item that a key leads to: arrows go round, a letter goes to the next item that begins with it. */
function itemAfter(key: string, items: readonly HTMLElement[], at: number): HTMLElement | undefined {
  switch (key) {
    case 'ArrowDown':
      return items[(at + 1) % items.length];
    case 'ArrowUp':
      return items.at(at - 1);
    case 'Home':
      return items[0];
    case 'End':
      return items.at(-1);
    default:
      return key.length === 1 && key !== ' '
        ? [...items.slice(at + 1), ...items.slice(0, at + 1)].find((item) =>
            item.textContent.trim().toLowerCase().startsWith(key.toLowerCase()),
          )
        : undefined;
  }
}
