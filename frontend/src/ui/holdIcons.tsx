import { icon } from './icons';

/** Staff have stopped something. */
export const HandIcon = icon(
  'HandIcon',
  <path d="M8 13v-7.5a1.5 1.5 0 0 1 3 0V12M11 5.5v-2a1.5 1.5 0 1 1 3 0V12M14 5.5a1.5 1.5 0 0 1 3 0V12M17 7.5a1.5 1.5 0 0 1 3 0V16a6 6 0 0 1-6 6h-2a6 6 0 0 1-5-2.7L4.3 15a1.7 1.7 0 0 1 2.7-2l1 1.5" />,
);

/** Something is on hold. */
export const PauseIcon = icon('PauseIcon', <path d="M7 5h3v14H7zM14 5h3v14h-3z" />);
