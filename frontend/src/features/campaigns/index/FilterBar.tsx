import { Button } from '../../../ui/Button';
import { useEffect, useRef, type SyntheticEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router-dom';
import { useCategoriesQuery } from '../../../api/content';
import { campaignLists, type CampaignListName } from '../../../api/lists';
import { useLanguage } from '../../../i18n';
import { ChevronDownIcon, SearchIcon } from '../../../ui/icons';
import classes from './FilterBar.module.css';
import { sorts, toggle, type Filters, type Sort } from './filters';
import { TagFilter } from './TagFilter';

export interface FilterBarProps {
  filters: Filters;
  isSignedIn: boolean;
  onChange: (filters: Filters) => void;
}

/** What narrows the index. Each change is a new address. */
export function FilterBar({ filters, isSignedIn, onChange }: FilterBarProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { data } = useCategoriesQuery({ language });
  const lists = (Object.keys(campaignLists) as CampaignListName[]).filter(
    (list) => list !== 'mine' || isSignedIn,
  );

  // The header's magnifying glass leads here.
  const { hash, key } = useLocation();
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (hash === '#search') input.current?.focus();
  }, [hash, key]);

  const search = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault();
    const keyword = new FormData(event.currentTarget).get('keyword');
    onChange({ ...filters, keyword: typeof keyword === 'string' ? keyword.trim() : '' });
  };

  return (
    <div className={classes.root}>
      <ul aria-label={t('campaigns.list')} className={classes.lists}>
        {lists.map((list) => (
          <li key={list}>
            <button
              type="button"
              aria-pressed={filters.list === list}
              className={classes.list}
              onClick={() => onChange({ ...filters, list, stages: [] })}
            >
              {t(`campaigns.lists.${list}`)}
            </button>
          </li>
        ))}
      </ul>
      <ul aria-label={t('campaigns.categories')} className={`${classes.chips} ${classes.oneLine}`}>
        <li>
          <button
            type="button"
            aria-pressed={filters.categories.length === 0}
            className={classes.chip}
            onClick={() => onChange({ ...filters, categories: [] })}
          >
            {t('campaigns.everything')}
          </button>
        </li>
        {data?.categories.map(({ id, label }) => (
          <li key={id}>
            <button
              type="button"
              aria-pressed={filters.categories.includes(id)}
              className={classes.chip}
              onClick={() => onChange({ ...filters, categories: toggle(filters.categories, id) })}
            >
              {label}
            </button>
          </li>
        ))}
      </ul>
      <div className={classes.tools}>
        <form role="search" aria-label={t('nav.search')} className={classes.search} onSubmit={search}>
          <SearchIcon size={16} />
          <input
            // A search from the header changes the word under our hands.
            key={filters.keyword}
            ref={input}
            id="search"
            type="search"
            name="keyword"
            defaultValue={filters.keyword}
            aria-label={t('nav.search')}
            placeholder={t('nav.search')}
            maxLength={100}
            autoComplete="off"
            className={classes.input}
          />
          <Button type="submit" variant="light" size="sm">
            {t('nav.submitSearch')}
          </Button>
        </form>
        <label className={classes.order}>
          <span>{t('campaigns.sort')}</span>
          <span className={classes.selectHolder}>
            <select
              value={filters.sort ?? ''}
              className={classes.select}
              onChange={({ target }) =>
                onChange({ ...filters, sort: sorts.find((sort): sort is Sort => sort === target.value) })
              }
            >
              <option value="">{t('campaigns.sorts.own')}</option>
              {sorts.map((sort) => (
                <option key={sort} value={sort}>
                  {t(`campaigns.sorts.${sort}`)}
                </option>
              ))}
            </select>
            <ChevronDownIcon size={16} />
          </span>
        </label>
        <TagFilter filters={filters} onChange={onChange} />
      </div>
    </div>
  );
}
