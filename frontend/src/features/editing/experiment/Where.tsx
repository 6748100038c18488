import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { GeographicLocation } from '../../../api/content';
import { usePlacesQuery } from '../../../api/experiments';
import { useLanguage } from '../../../i18n';
import { Button } from '../../../ui/Button';
import { TextField } from '../../../ui/fields';
import { FieldErrorText } from '../campaign/FieldErrorText';
import { SidePanel } from '../campaign/SidePanel';
import classes from './ExperimentEditor.module.css';
import { FinlandMap } from './FinlandMap';
import { useEditor } from './useExperimentEditor';

/** Where the experiment is: a place in words, and a point that is dragged, moved with arrow keys, or typed. */
export function Where() {
  const { t } = useTranslation();
  const language = useLanguage();
  const { parts, write, set, leave, refused } = useEditor();
  const { location } = parts;
  const { place, latitude, longitude } = location;
  const list = useId();
  const { data } = usePlacesQuery({ language, search: place }, { skip: place.trim().length < 2 });
  const point = latitude !== undefined && longitude !== undefined ? { latitude, longitude } : undefined;

  const name = (text: string) => {
    const found = data?.places.find((one) => one.place === text);
    // A choice from the list is where that place is.
    write('location', found ? { ...location, ...found } : { ...location, place: text });
  };
  return (
    <SidePanel title={t('experimentEdit.where.title')} id="geographic_location">
      <FinlandMap
        point={point}
        name={place}
        onMove={(to) => write('location', { ...location, ...to })}
        onLeave={leave}
      />
      <p id="pin-at" className="tk-visually-hidden" role="status">
        {point && t('experimentEdit.where.at', point)}
      </p>
      <TextField
        label={t('experimentEdit.where.place')}
        help={t('experimentEdit.where.help')}
        maxLength={100}
        list={list}
        value={place}
        onChange={({ currentTarget }) => name(currentTarget.value)}
        onBlur={leave}
      />
      <datalist id={list}>
        {data?.places.map((one) => (
          <option key={`${one.place}-${one.latitude}`} value={one.place} />
        ))}
      </datalist>
      <div className={classes.degrees}>
        {(['latitude', 'longitude'] as const).map((field) => (
          <DegreeField
            key={field}
            field={field}
            location={location}
            onChange={(next) => write('location', next)}
          />
        ))}
      </div>
      {point && (
        <div>
          <Button
            variant="transparent"
            size="sm"
            className={classes.add}
            onClick={() => set('location', { place })}
          >
            {t('experimentEdit.where.remove')}
          </Button>
        </div>
      )}
      <FieldErrorText error={refused.location} />
    </SidePanel>
  );
}

interface DegreeFieldProps {
  field: 'latitude' | 'longitude';
  location: GeographicLocation;
  onChange: (location: GeographicLocation) => void;
}

/** One of the two numbers; the other one follows, because half a point is nowhere. */
function DegreeField({ field, location, onChange }: DegreeFieldProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { leave } = useEditor();
  const [typed, setTyped] = useState<string>();
  const value = location[field];
  const number = typed === undefined ? undefined : Number(typed.trim().replace(',', '.'));
  const most = field === 'latitude' ? 90 : 180;
  const isBad =
    typed !== undefined && typed.trim() !== '' && !(number !== undefined && Math.abs(number) <= most);
  const shown =
    value === undefined
      ? ''
      : new Intl.NumberFormat(language, { maximumFractionDigits: 4, useGrouping: false }).format(value);
  return (
    <TextField
      label={t(`experimentEdit.where.${field}`)}
      inputMode="decimal"
      value={typed ?? shown}
      error={isBad && t('experimentEdit.where.bad')}
      onChange={({ currentTarget }) => {
        const text = currentTarget.value;
        setTyped(text);
        const next = Number(text.trim().replace(',', '.'));
        if (text.trim() === '' || Number.isNaN(next) || Math.abs(next) > most) return;
        const other = field === 'latitude' ? 'longitude' : 'latitude';
        const whole = { ...location, [field]: next };
        // The other number begins in the middle of the country, where the pin stands.
        onChange(
          whole[other] === undefined ? { ...whole, [other]: other === 'latitude' ? 64.2 : 26.2 } : whole,
        );
      }}
      onBlur={() => {
        if (!isBad) setTyped(undefined);
        leave();
      }}
    />
  );
}
