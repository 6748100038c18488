/** Columns that can be sorted, by the name that the API sorts by. */
export const columns = ['id', 'title', 'creator', 'raised', 'deadline'] as const;
export type Column = (typeof columns)[number];

/** What of the table is shown; it is in the address. */
export interface TableState {
  keyword?: string;
  /** 0 to 6; undefined for all. */
  stage?: number;
  sort: Column;
  direction: 'asc' | 'desc';
  /** From 1. */
  page: number;
}

/** How many rows a page has. */
export const pageRows = 10;

/** The state in the address: all campaigns, the newest first, unless it says otherwise. Rubbish is ignored. */
export function stateOf(search: string): TableState {
  const params = new URLSearchParams(search);
  const page = Number(params.get('page') ?? 1);
  return {
    keyword: params.get('keyword')?.trim().slice(0, 100) || undefined,
    stage: /^[0-6]$/.test(params.get('stage') ?? '') ? Number(params.get('stage')) : undefined,
    sort: columns.find((one) => one === params.get('sort')) ?? 'id',
    direction: params.get('direction') === 'asc' ? 'asc' : 'desc',
    page: Number.isInteger(page) && page >= 1 && page <= 2_000 ? page : 1,
  };
}

/** The parameters for the address, without what is so anyway. */
export function addressOf({ keyword, stage, sort, direction, page }: TableState) {
  return {
    keyword,
    stage,
    sort: sort === 'id' ? undefined : sort,
    direction: direction === 'desc' ? undefined : direction,
    page: page > 1 ? page : undefined,
  };
}
