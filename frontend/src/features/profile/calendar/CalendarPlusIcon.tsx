import { icon } from '../../../ui/icons';

export const CalendarPlusIcon = icon(
  'CalendarPlusIcon',
  <path d="M12.5 21H6a2 2 0 0 1-2-2V7a2 2 0 0 1 2-2h12a2 2 0 0 1 2 2v5M16 3v4M8 3v4M4 11h16m-4 8h6m-3-3v6" />,
);
