import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import type { SearchAnswer } from '../../../api/search';
import { paths } from '../../../domain/paths';
import { useLanguage } from '../../../i18n';
import { Button } from '../../../ui/Button';
import { EmptyState } from '../../../ui/EmptyState';
import classes from './SearchPage.module.css';

/** Of what nothing was found: what was looked through, with how many there are of each. */
export function NothingFound({ answer }: { answer: SearchAnswer }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const counts = answer.groups
    .filter(({ total }) => total > 0)
    .map(({ name, total }) => t(`search.counted.${name}`, { count: total }));
  const open = answer.groups.find(({ name }) => name === 'open')?.total ?? 0;
  return (
    <div className={classes.state}>
      <EmptyState
        title={t('search.noneTitle')}
        action={
          <Button component={Link} to={paths.campaigns(language)} variant="light">
            {open > 0 ? t('search.browse', { count: open }) : t('search.browseAll')}
          </Button>
        }
      >
        {counts.length > 0 && t('search.lookedThrough', { list: listOf(language, counts) })}{' '}
        {t('search.shorter')}
      </EmptyState>
    </div>
  );
}

const listOf = (language: string, items: string[]) => new Intl.ListFormat(language).format(items);
