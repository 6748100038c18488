import { skipToken } from '@reduxjs/toolkit/query';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import { useCategoriesQuery } from '../../../api/content';
import { campaignLists, type CampaignListName } from '../../../api/lists';
import { paths } from '../../../domain/paths';
import { useLanguage } from '../../../i18n';
import { SearchField } from '../../../ui/SearchField';
import { SelectBox } from '../../../ui/SelectBox';
import { ToggleButton } from '../../../ui/ToggleButton';
import classes from './FilterBar.module.css';
import {
  missing,
  offeredCategories,
  sorts,
  toggle,
  withChosen,
  type ChangeFilters,
  type Filters,
  type Sort,
} from './filters';
import { TagFilter } from './TagFilter';

export interface FilterBarProps {
  filters: Filters;
  isSignedIn: boolean;
  onChange: ChangeFilters;
}

/** The filters of the campaigns page. Each change navigates to a new address. */
export function FilterBar({ filters, isSignedIn, onChange }: FilterBarProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const navigate = useNavigate();
  const offered = offeredCategories(language, filters);
  const { data, isLoading } = useCategoriesQuery(offered ?? skipToken);
  const isAnyMissing = !isLoading && missing(data?.categories, filters.categories).length > 0;
  const { data: all } = useCategoriesQuery(isAnyMissing ? { language } : skipToken);
  const categories = withChosen(data?.categories, all?.categories, filters.categories);
  const lists = (Object.keys(campaignLists) as CampaignListName[]).filter(
    (list) => list !== 'mine' || isSignedIn,
  );

  return (
    <div className={classes.root}>
      <ul aria-label={t('campaignIndex.list')} className={classes.lists}>
        {lists.map((list) => (
          <li key={list}>
            <ToggleButton
              isPressed={filters.list === list}
              look="tab"
              onPress={() => onChange((now) => ({ ...now, list, stages: [] }))}
            >
              {t(`campaignIndex.lists.${list}`)}
            </ToggleButton>
          </li>
        ))}
      </ul>
      {(offered !== undefined || categories.length > 0) && (
        <ul aria-label={t('campaigns.categories')} className={`${classes.chips} ${classes.oneLine}`}>
          <li>
            <ToggleButton
              isPressed={filters.categories.length === 0}
              look="chip"
              onPress={() => onChange((now) => ({ ...now, categories: [] }))}
            >
              {t('campaigns.everything')}
            </ToggleButton>
          </li>
          {categories.map(({ id, label, campaigns }) => (
            <li key={id}>
              <ToggleButton
                isPressed={filters.categories.includes(id)}
                look="chip"
                count={campaigns}
                onPress={() => onChange((now) => ({ ...now, categories: toggle(now.categories, id) }))}
              >
                {label}
              </ToggleButton>
            </li>
          ))}
        </ul>
      )}
      <div className={classes.tools}>
        <SearchField
          look="box"
          name="q"
          action={paths.search(language)}
          keyword={filters.keyword}
          onSearch={(q) => void navigate(paths.search(language, { q }))}
        />
        <SelectBox<Sort>
          label={t('campaignIndex.sort')}
          value={filters.sort ?? ''}
          choices={[
            { value: '', label: t('campaignIndex.sorts.own') },
            ...sorts.map((sort) => ({ value: sort, label: t(`campaignIndex.sorts.${sort}`) })),
          ]}
          onChange={(sort) => onChange((now) => ({ ...now, sort: sort || undefined }))}
        />
        <TagFilter filters={filters} onChange={onChange} />
      </div>
    </div>
  );
}
