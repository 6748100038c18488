import { useTranslation } from 'react-i18next';
import type { SearchAnswer } from '../../../api/search';
import { IconSelect } from '../../../ui/IconSelect';
import { MapPinIcon } from '../../../ui/icons';

export interface PlaceSelectProps {
  place: string | undefined;
  /** Where the hits are. */
  places: SearchAnswer['places'];
  onChange: (place: string | undefined) => void;
}

/** The regions and places of the hits, with how many are there; none is chosen for the reader. */
export function PlaceSelect({ place, places, onChange }: PlaceSelectProps) {
  const { t } = useTranslation();
  const isOther = place !== undefined && places.every((one) => one.place !== place);
  const counted = (isRegion: boolean) =>
    places
      .filter(({ is_region }) => is_region === isRegion)
      .map((one) => ({ value: one.place, label: `${one.label} (${one.total})` }));
  const groups = [
    { label: t('search.regions'), choices: counted(true) },
    { label: t('search.places'), choices: counted(false) },
  ];
  return (
    <IconSelect
      icon={<MapPinIcon size={16} />}
      label={t('search.place')}
      value={place ?? ''}
      choices={[
        { value: '', label: t('search.anywhere') },
        ...(isOther ? [{ value: place, label: place }] : []),
      ]}
      groups={groups.filter(({ choices }) => choices.length > 0)}
      onChange={(chosen) => onChange(chosen || undefined)}
    />
  );
}
