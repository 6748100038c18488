import { skipToken } from '@reduxjs/toolkit/query';
import { useTranslation } from 'react-i18next';
import {
  useCampaignRecommendationsQuery,
  useExperimentRecommendationsQuery,
  type Suggestion,
} from '../../api/recommendations';
import { foreignLang } from '../../domain/languages';
import { useLanguage } from '../../i18n';
import { formatPercent } from '../../i18n/format';
import { CardTitle } from '../CardTitle';
import { Picture } from '../Picture';
import classes from './Suggestions.module.css';
import { SuggestionsSkeleton } from './SuggestionsSkeleton';

/** The page that the suggestions are for: a campaign's, or an experiment's. */
export type SuggestionsProps = { campaignId: number } | { experimentId: number };

/**
 * What else a reader of the page may like, each with one reason. Nothing is shown when there is nothing, or when the call
 * fails: the page is complete without it.
 */
export default function Suggestions(props: SuggestionsProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const ofCampaign = useCampaignRecommendationsQuery(
    'campaignId' in props ? { ...props, language } : skipToken,
  );
  const ofExperiment = useExperimentRecommendationsQuery(
    'experimentId' in props ? { ...props, language } : skipToken,
  );
  const { currentData, isError } = 'campaignId' in props ? ofCampaign : ofExperiment;
  if (isError && !currentData) return null;
  if (!currentData) return <SuggestionsSkeleton />;
  return <SuggestionList title={t('recommendations.heading')} suggestions={currentData.suggestions} />;
}

interface SuggestionListProps {
  title: string;
  suggestions: readonly Suggestion[];
}

/** Suggestions under a title; nothing without any. */
export function SuggestionList({ title, suggestions }: SuggestionListProps) {
  if (suggestions.length === 0) return null;
  return (
    <section className={classes.root} aria-labelledby="suggestions-title">
      <h2 id="suggestions-title">{title}</h2>
      <ul className={classes.list}>
        {suggestions.map((suggestion) => (
          <li key={`${suggestion.kind} ${suggestion.id}`}>
            <SuggestionCard suggestion={suggestion} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function SuggestionCard({ suggestion }: { suggestion: Suggestion }) {
  const language = useLanguage();
  const { title, path, picture, percent, settling_percent: settling = 0, state, reason } = suggestion;
  return (
    <article className={classes.card}>
      <Picture
        name={picture}
        alt=""
        ratio={1.6}
        widths={[400, 640, 800]}
        sizes="(min-width: 68.75em) 24rem, (min-width: 40em) 46vw, calc(100vw - 2.5rem)"
      />
      {/* The line below says the same in words. Without progress the bar keeps its place, so that cards stand in line. */}
      <div
        className={percent === undefined ? `${classes.bar} ${classes.none}` : classes.bar}
        aria-hidden="true"
      >
        <span className={classes.confirmed} style={{ width: `${Math.min(percent ?? 0, 100)}%` }} />
        <span className={classes.settling} style={{ width: `${settling}%` }} />
      </div>
      <p className={classes.line}>
        {percent !== undefined && <b className={classes.percent}>{formatPercent(language, percent)}</b>}{' '}
        {state}
      </p>
      <CardTitle to={path} lang={foreignLang(suggestion.language, language)}>
        {title}
      </CardTitle>
      <p className={classes.reason}>{reason.text}</p>
    </article>
  );
}
