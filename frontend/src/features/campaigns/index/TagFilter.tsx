import { skipToken } from '@reduxjs/toolkit/query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCampaignTagsQuery, type Tag } from '../../../api/content';
import { useLanguage } from '../../../i18n';
import { Disclosure } from '../../../ui/Disclosure';
import { CheckIcon, MinusIcon } from '../../../ui/icons';
import { ErrorState } from '../../../ui/ErrorState';
import { LinesSkeleton } from '../../../ui/Skeletons';
import { ToggleButton } from '../../../ui/ToggleButton';
import classes from './FilterBar.module.css';
import {
  tagChoice,
  cycleTag,
  missing,
  offeredTags,
  withChosen,
  type ChangeFilters,
  type Filters,
} from './filters';

export interface TagFilterProps {
  filters: Filters;
  onChange: ChangeFilters;
}

/** Tags to include or exclude. They are loaded when the list is opened. */
export function TagFilter({ filters, onChange }: TagFilterProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const chosen = [...filters.tags, ...filters.excludedTags];
  const [isOpen, setOpen] = useState(chosen.length > 0);
  const offered = offeredTags(language, filters);
  const { data, isLoading, isError, refetch } = useCampaignTagsQuery(
    (isOpen ? offered : undefined) ?? skipToken,
  );
  const isAnyMissing = isOpen && !isLoading && missing(data?.tags, chosen).length > 0;
  const { data: all } = useCampaignTagsQuery(isAnyMissing ? { language } : skipToken);

  if (!offered && chosen.length === 0) return null;

  return (
    <Disclosure
      label={
        chosen.length > 0 ? t('campaignIndex.tagsChosen', { count: chosen.length }) : t('campaignIndex.tags')
      }
      isOpen={isOpen}
      onToggle={setOpen}
      className={classes.tags}
    >
      <p className={classes.help}>{t('campaignIndex.tagsHelp')}</p>
      {isLoading && <LinesSkeleton lines={2} />}
      {isError && !data && <ErrorState onRetry={() => void refetch()} />}
      <ul aria-label={t('campaignIndex.tags')} className={classes.chips}>
        {withChosen(data?.tags, all?.tags, chosen).map((tag) => (
          <li key={tag.id}>
            <TagChip tag={tag} filters={filters} onCycle={() => onChange((now) => cycleTag(now, tag.id))} />
          </li>
        ))}
      </ul>
    </Disclosure>
  );
}

interface TagChipProps {
  tag: Tag;
  filters: Filters;
  onCycle: () => void;
}

function TagChip({ tag: { id, label, campaigns }, filters, onCycle }: TagChipProps) {
  const { t } = useTranslation();
  const choice = tagChoice(filters, id);
  const names = {
    none: undefined,
    with: t('campaignIndex.tagWith', { tag: label }),
    without: t('campaignIndex.tagWithout', { tag: label }),
  };
  return (
    <ToggleButton
      isPressed={choice !== 'none'}
      label={names[choice]}
      count={campaigns}
      look={choice === 'without' ? 'crossed' : 'chip'}
      onPress={onCycle}
    >
      {choice === 'with' && <CheckIcon size={16} />}
      {choice === 'without' && <MinusIcon size={16} />}
      {label}
    </ToggleButton>
  );
}
