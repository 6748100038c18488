import { paths } from '../../../domain/paths';
import { isFiltered, listArg, noFilters, readFilters, cycleTag, writeFilters, type Filters } from './filters';

const search = (filters: Filters) =>
  new URL(paths.campaigns('fi', writeFilters(filters)), 'http://page').searchParams;

test.each<[string, Filters]>([
  ['nothing', noFilters],
  ['a list', { ...noFilters, list: 'subscriptions' }],
  ['stages', { ...noFilters, list: 'all', stages: [2, 3] }],
  ['categories and tags', { ...noFilters, categories: [4, 1], tags: [7], excludedTags: [8, 9] }],
  ['a keyword and an order', { ...noFilters, keyword: 'äänet & yöt, 100 %', sort: 'ending' }],
])('%s can be written to the address and read again', (_, filters) => {
  expect(readFilters(search(filters))).toEqual(filters);
});

test('without filters the address has no query', () => {
  expect(paths.campaigns('sv', writeFilters(noFilters))).toBe('/sv/campaigns/');
});

test.each([
  ['list=nonsense', {}],
  ['list=toString', {}],
  ['sort=sideways', {}],
  ['stages=9,x,-1,2', { stages: [2] }],
  ['categories=1,1,,abc,3', { categories: [1, 3] }],
  [`keyword=${'a'.repeat(150)}`, { keyword: 'a'.repeat(100) }],
  ['keyword=%20%20', {}],
])('invalid values in %s are ignored', (text, expected) => {
  expect(readFilters(new URLSearchParams(text))).toEqual({ ...noFilters, ...expected });
});

test('pressing a tag includes it, then excludes it, then resets it', () => {
  const withIt = cycleTag(noFilters, 5);
  const withoutIt = cycleTag(withIt, 5);
  expect(withIt).toMatchObject({ tags: [5], excludedTags: [] });
  expect(withoutIt).toMatchObject({ tags: [], excludedTags: [5] });
  expect(cycleTag(withoutIt, 5)).toEqual(noFilters);
});

test('list and sort order are no filters; everything else is', () => {
  expect(isFiltered({ ...noFilters, list: 'all', sort: 'newest' })).toBe(false);
  expect(isFiltered({ ...noFilters, excludedTags: [1] })).toBe(true);
  expect(isFiltered({ ...noFilters, keyword: 'a' })).toBe(true);
});

test('the request has no parameters for what is not set', () => {
  expect(listArg('en', noFilters)).toEqual({ language: 'en', list: 'open' });
});
