import { useTranslation } from 'react-i18next';
import type { SearchAnswer } from '../../../api/search';
import { ChevronDownIcon, MapPinIcon } from '../../../ui/icons';
import classes from './PlaceSelect.module.css';

export interface PlaceSelectProps {
  place: string | undefined;
  /** Where the hits are. */
  places: SearchAnswer['places'];
  onChange: (place: string | undefined) => void;
}

/** The places of the hits, with how many are there; none is chosen for the reader. */
export function PlaceSelect({ place, places, onChange }: PlaceSelectProps) {
  const { t } = useTranslation();
  const isOther = place !== undefined && places.every((one) => one.place !== place);
  return (
    <div className={classes.root}>
      <MapPinIcon size={16} />
      <select
        aria-label={t('search.place')}
        value={place ?? ''}
        className={classes.select}
        onChange={({ target }) => onChange(target.value || undefined)}
      >
        <option value="">{t('search.anywhere')}</option>
        {isOther && <option value={place}>{place}</option>}
        {places.map((one) => (
          <option key={one.place} value={one.place}>
            {one.label} ({one.total})
          </option>
        ))}
      </select>
      <ChevronDownIcon size={16} />
    </div>
  );
}
