import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import type { Category } from '../../../api/content';
import { paths } from '../../../domain/paths';
import { useLanguage } from '../../../i18n';
import classes from './CategoryChips.module.css';

export interface CategoryChipsProps {
  categories: readonly Category[];
}

/** Links to the campaigns of each category. Their space is reserved while they load, to avoid layout shift. */
export function CategoryChips({ categories }: CategoryChipsProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  return (
    <nav aria-label={t('campaigns.categories')} className={`tk-container ${classes.root}`}>
      <ul className={classes.list}>
        <li>
          <Link to={paths.campaigns(language)} className={`${classes.chip} ${classes.all}`}>
            {t('campaigns.everything')}
          </Link>
        </li>
        {categories.map(({ id, label }) => (
          <li key={id}>
            <Link to={paths.campaigns(language, { categories: id })} className={classes.chip}>
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
