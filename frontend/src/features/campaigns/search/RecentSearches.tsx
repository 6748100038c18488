import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { paths } from '../../../domain/paths';
import { useLanguage } from '../../../i18n';
import { TextButton } from '../../../ui/TextButton';
import { forgetSearches, recentSearches } from './recent';
import classes from './SearchPage.module.css';

/** What was searched for on this device, until it is told to forget. */
export function RecentSearches() {
  const { t } = useTranslation();
  const language = useLanguage();
  const [searches, setSearches] = useState(recentSearches);
  if (searches.length === 0) return null;
  return (
    <p className={classes.recent}>
      {t('search.recent')}{' '}
      {searches.map((q, place) => (
        <span key={q}>
          {place > 0 && ', '}
          <Link to={paths.search(language, { q })}>{q}</Link>
        </span>
      ))}
      {'. '}
      <TextButton
        look="inline"
        onPress={() => {
          forgetSearches();
          setSearches([]);
        }}
      >
        {t('search.forget')}
      </TextButton>
    </p>
  );
}
