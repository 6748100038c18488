import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useExperimentPreviewsQuery } from '../../../api/content';
import { useCampaignTableQuery, type FrontPagePick } from '../../../api/staff';
import { foreignLang } from '../../../domain/languages';
import { campaignStageName, campaignStages, experimentStageName } from '../../../domain/stages';
import { useLanguage } from '../../../i18n';
import { Button } from '../../../ui/Button';
import { ErrorState } from '../../../ui/ErrorState';
import { LinesSkeleton } from '../../../ui/Skeletons';
import { SearchInput } from './SearchInput';
import classes from './HomePicks.module.css';

export interface SearchPicksProps {
  chosen: readonly FrontPagePick[];
  onAdd: (pick: FrontPagePick) => void;
}

/** The most that may be chosen, and as many as a search shows. */
const most = 10;

const mayBeChosen = [campaignStages.preparing, campaignStages.funding, campaignStages.recurring];

/** Looks for campaigns that are open or open later. */
export function SearchCampaigns(props: SearchPicksProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const [keyword, setKeyword] = useState('');
  const query = useCampaignTableQuery(
    { language, keyword, stages: mayBeChosen, limit: most },
    { skip: keyword === '' },
  );
  return (
    <Found
      label={t('staff.home.searchCampaigns')}
      onSearch={setKeyword}
      isWaiting={query.isFetching}
      onRetry={query.isError ? query.refetch : undefined}
      {...props}
      found={
        keyword === ''
          ? undefined
          : query.currentData?.campaigns.map(({ campaign_id: id, slug, title, language: of, stage }) => ({
              pick: {
                id,
                slug,
                title,
                language: of,
                stage,
                shown: stage === campaignStages.preparing ? ('not_open' as const) : ('now' as const),
              },
              state: t(`stage.${campaignStageName(stage) ?? 'draft'}`),
            }))
      }
      total={query.currentData?.total}
    />
  );
}

/** Looks for experiments that everybody may see. */
export function SearchExperiments(props: SearchPicksProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const [keyword, setKeyword] = useState('');
  const query = useExperimentPreviewsQuery({ language, keyword, limit: most }, { skip: keyword === '' });
  return (
    <Found
      label={t('staff.home.searchExperiments')}
      onSearch={setKeyword}
      isWaiting={query.isFetching}
      onRetry={query.isError ? query.refetch : undefined}
      {...props}
      found={
        keyword === ''
          ? undefined
          : query.currentData?.previews.map(({ experiment_id: id, slug, title, language: of, stage }) => ({
              pick: { id, slug, title, language: of, stage, shown: 'now' as const },
              state: t(`experimentStage.${experimentStageName(stage) ?? 'idea'}`),
            }))
      }
      total={query.currentData?.total}
    />
  );
}

interface FoundProps extends SearchPicksProps {
  label: string;
  onSearch: (keyword: string) => void;
  isWaiting: boolean;
  /** Present when the search failed. */
  onRetry?: () => unknown;
  /** Undefined until something is looked for. */
  found?: readonly { pick: FrontPagePick; state: string }[];
  /** How many there are, of which `found` are the first. */
  total?: number;
}

function Found({ label, onSearch, isWaiting, onRetry, found, total = 0, chosen, onAdd }: FoundProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const isFull = chosen.length >= most;
  return (
    <div className={classes.search}>
      <SearchInput label={label} onSearch={onSearch} />
      {onRetry && <ErrorState onRetry={onRetry} />}
      {isWaiting && !found && <LinesSkeleton lines={3} />}
      {found && (
        <p role="status" className={classes.help}>
          {isFull
            ? t('staff.home.full', { most })
            : total > found.length
              ? t('staff.home.foundMore', { shown: found.length, total })
              : t('staff.home.found', { count: found.length })}
        </p>
      )}
      {found && found.length > 0 && (
        <ul className={classes.found}>
          {found.map(({ pick, state }) => {
            const isChosen = chosen.some(({ id }) => id === pick.id);
            return (
              <li key={pick.id} className={classes.one}>
                <span lang={foreignLang(pick.language, language)} className={classes.title}>
                  {pick.title}
                </span>
                <span className={classes.help}>{isChosen ? t('staff.home.isChosen') : state}</span>
                <Button
                  variant="outline"
                  size="sm"
                  aria-label={t('staff.home.addOf', { name: pick.title })}
                  aria-disabled={isChosen || isFull || undefined}
                  onClick={isChosen || isFull ? undefined : () => onAdd(pick)}
                >
                  {t('staff.home.add')}
                </Button>
              </li>
            );
          })}
        </ul>
      )}
    </div>
  );
}
