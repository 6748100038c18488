import { useLocation } from 'react-router-dom';
import { readOffset } from '../paging';

/** How many rows the payment service gives at once. */
export const pageSize = 50;

/** What of a list is shown, by its address: the page, and which of two lists. */
export function usePage(other: string) {
  const params = new URLSearchParams(useLocation().search);
  const isOther = params.get('show') === other;
  return { offset: readOffset(params.get('offset')), isOther, show: isOther ? other : undefined };
}
