/** Columns that can be sorted, by the name that the API sorts by. */
export const columns = ['id', 'alphabetical', 'short_description', 'owner_name', 'show_in'] as const;
export type Column = (typeof columns)[number];

/** What of the table is shown; it is in the address. */
export interface TableState {
  keyword?: string;
  sort: Column;
  direction: 'asc' | 'desc';
  /** From 1; of ten rows each. */
  page: number;
  rows: '10' | 'all';
  /** Only those that were taken off the site. */
  isDisabled: boolean;
}

/** How many rows a page has. */
export const pageRows = 10;

/** The state in the address: by id, the newest first, ten rows, unless it says otherwise. */
export function stateOf(search: string): TableState {
  const params = new URLSearchParams(search);
  const page = Number(params.get('page') ?? 1);
  const keyword = params.get('keyword')?.trim().slice(0, 100);
  return {
    keyword: keyword ? keyword : undefined,
    sort: columns.find((one) => one === params.get('sort')) ?? 'id',
    direction: params.get('direction') === 'asc' ? 'asc' : 'desc',
    page: Number.isInteger(page) && page >= 1 && page <= 2_000 ? page : 1,
    rows: params.get('rows') === 'all' ? 'all' : '10',
    isDisabled: params.get('show') === 'disabled',
  };
}

/** The parameters for the address, without what is so anyway. */
export const addressOf = ({ keyword, sort, direction, page, rows, isDisabled }: TableState) => ({
  keyword,
  sort: sort === 'id' ? undefined : sort,
  direction: direction === 'desc' ? undefined : direction,
  page: page > 1 ? page : undefined,
  rows: rows === 'all' ? rows : undefined,
  show: isDisabled ? 'disabled' : undefined,
});

/** The question to the API for a part of the table. */
export const questionOf = ({ keyword, sort, direction, isDisabled }: TableState) => ({
  keyword,
  sort,
  direction,
  disabled: isDisabled || undefined,
});
