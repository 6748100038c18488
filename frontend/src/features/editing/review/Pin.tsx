import { useTranslation } from 'react-i18next';
import { formatCount } from '../../../i18n/format';
import { useLanguage } from '../../../i18n';
import classes from './Pin.module.css';

/** The number of a note, shown at its part of the page and in the list of notes. */
export function Pin({ number }: { number: number }) {
  const { t } = useTranslation();
  const language = useLanguage();
  return (
    <span className={classes.root}>
      <span aria-hidden="true">{formatCount(language, number)}</span>
      <span className="tk-visually-hidden">{t('review.note', { number })}</span>
    </span>
  );
}
