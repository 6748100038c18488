import { icon } from '../../../ui/icons';

/** A bank's house. */
export const BankIcon = icon(
  'BankIcon',
  <path d="M3 21h18M4 10h16M5 6l7-3 7 3M5 10v8m4-8v8m6-8v8m4-8v8M3 18h18" />,
);
