import {
  useState,
  type AriaAttributes,
  type HTMLAttributes,
  type KeyboardEvent,
  type PointerEvent,
} from 'react';

/** Which bar of a chart is pointed at or chosen with the arrow keys. */
export interface ChosenBar {
  /** Undefined for none. */
  chosen?: number;
  /** For the element that covers the bars, the only tab stop of the chart. Its name and aria-valuetext are the caller's. */
  slider: HTMLAttributes<HTMLElement> & AriaAttributes;
}

/** Chooses one of `count` bars, of which the chart's width has `places` (more than `count`, if days ahead are drawn). */
export function useChosenBar(count: number, places: number, page: number): ChosenBar {
  const [chosen, setChosen] = useState<number>();
  const choose = (place: number) => setChosen(Math.max(0, Math.min(count - 1, place)));
  const chooseByPointer = ({ clientX, currentTarget }: PointerEvent) => {
    const box = currentTarget.getBoundingClientRect();
    choose(Math.floor(((clientX - box.left) / box.width) * places));
  };
  const chooseByKey = (event: KeyboardEvent) => {
    const here = chosen ?? count - 1;
    const goals: Readonly<Record<string, number>> = {
      ArrowRight: here + 1,
      ArrowUp: here + 1,
      ArrowLeft: here - 1,
      ArrowDown: here - 1,
      PageUp: here + page,
      PageDown: here - page,
      Home: 0,
      End: count - 1,
    };
    const goal = goals[event.key];
    if (event.key === 'Escape') setChosen(undefined);
    if (goal === undefined) return;
    event.preventDefault();
    choose(goal);
  };
  return {
    chosen,
    slider: {
      role: 'slider',
      tabIndex: 0,
      'aria-valuemin': 1,
      'aria-valuemax': count,
      'aria-valuenow': (chosen ?? count - 1) + 1,
      onFocus: () => setChosen((old) => old ?? count - 1),
      onBlur: () => setChosen(undefined),
      onKeyDown: chooseByKey,
      onPointerDown: chooseByPointer,
      onPointerMove: chooseByPointer,
      // Lifting a finger is a pointerleave too, but must not close the tooltip that it opened.
      onPointerLeave: ({ pointerType }) => pointerType === 'mouse' && setChosen(undefined),
    },
  };
}
