import { useRef, useState, type KeyboardEvent, type RefObject } from 'react';

/** Makes a toolbar one tab stop; arrow keys, Home and End move the focus inside it (the ARIA toolbar pattern). */
export function useToolbarKeys(onLeave: () => void): {
  toolbar: RefObject<HTMLDivElement | null>;
  keysOf: (place: number) => {
    tabIndex: 0 | -1;
    onFocus: () => void;
    onKeyDown: (event: KeyboardEvent<HTMLButtonElement>) => void;
  };
} {
  const toolbar = useRef<HTMLDivElement>(null);
  const [current, setCurrent] = useState(0);
  const move = (event: KeyboardEvent<HTMLButtonElement>) => {
    if (event.key === 'Escape') {
      event.preventDefault();
      onLeave();
      return;
    }
    const buttons = [...(toolbar.current?.querySelectorAll<HTMLButtonElement>('button') ?? [])];
    const here = buttons.indexOf(event.currentTarget);
    const last = buttons.length - 1;
    const goals: Readonly<Record<string, number>> = {
      ArrowRight: here === last ? 0 : here + 1,
      ArrowLeft: here === 0 ? last : here - 1,
      Home: 0,
      End: last,
    };
    const goal = goals[event.key];
    if (goal === undefined) return;
    event.preventDefault();
    buttons[goal]?.focus();
  };
  return {
    toolbar,
    keysOf: (place) => ({
      tabIndex: place === current ? 0 : -1,
      onFocus: () => setCurrent(place),
      onKeyDown: move,
    }),
  };
}
