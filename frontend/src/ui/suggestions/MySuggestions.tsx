import { skipToken } from '@reduxjs/toolkit/query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMyRecommendationsQuery, type Reason, type Suggestion } from '../../api/recommendations';
import { useLanguage } from '../../i18n';
import { useNearEnd } from '../useNearEnd';
import { useTexts } from '../useTexts';
import { SuggestionList } from './Suggestions';

const texts = ['inner'] as const;

/** The kinds of reasons that are about the reader. */
const ofReader: readonly Reason['kind'][] = ['you_backed', 'you_like', 'your_tags'];

/**
 * What the signed-in person may like because of what they have backed, liked or chosen as their topics, once they come
 * near it.
 * Suggestions for other reasons are left out: the page has what is popular and what ends soon already.
 */
export default function MySuggestions() {
  const { t } = useTranslation();
  const language = useLanguage();
  const [isNear, setNear] = useState(false);
  const watch = useNearEnd(!isNear, () => setNear(true));
  const hasTexts = useTexts(isNear ? texts : undefined);
  const { currentData } = useMyRecommendationsQuery(isNear ? { language } : skipToken);
  const suggestions = currentData?.suggestions.filter(isAboutReader) ?? [];
  return (
    <div ref={watch} className="tk-container">
      {hasTexts && <SuggestionList title={t('recommendations.forYou')} suggestions={suggestions} />}
    </div>
  );
}

function isAboutReader({ reason }: Suggestion) {
  return ofReader.includes(reason.kind);
}
