import { useRef, type KeyboardEvent, type PointerEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useLanguage } from '../../../i18n';
import { IconButton } from '../../../ui/IconButton';
import classes from './FinlandMap.module.css';
import {
  fromMap,
  lakes,
  land,
  mapSize,
  middle,
  spruces,
  toMap,
  towns,
  waves,
  within,
  type Point,
} from './finland';

export interface FinlandMapProps {
  /** Where the pin is; in the middle of the country, faint, while nobody has put it anywhere. */
  point?: Point;
  /** The place's name, beside the pin. */
  name: string;
  onMove: (point: Point) => void;
  onLeave: () => void;
}

/** How far an arrow key moves the pin, in degrees of latitude; with Shift ten times as far. */
const step = 0.05;

/** A map of Finland with a pin, drawn here: no tiles, nobody is asked. The fields under it say the same. */
export function FinlandMap({ point, name, onMove, onLeave }: FinlandMapProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const drawing = useRef<SVGSVGElement>(null);
  const now = point ?? middle;
  const pin = toMap(now);

  const moveTo = ({ clientX, clientY }: PointerEvent) => {
    const box = drawing.current?.getBoundingClientRect();
    if (!box) return;
    onMove(
      fromMap(
        ((clientX - box.left) / box.width) * mapSize.width,
        ((clientY - box.top) / box.height) * mapSize.height,
      ),
    );
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const far = step * (event.shiftKey ? 10 : 1);
    const by = {
      ArrowUp: [far, 0],
      ArrowDown: [-far, 0],
      ArrowLeft: [0, -far * 2],
      ArrowRight: [0, far * 2],
    }[event.key];
    if (!by) return;
    event.preventDefault();
    onMove(within({ latitude: now.latitude + (by[0] ?? 0), longitude: now.longitude + (by[1] ?? 0) }));
  };
  return (
    <div className={classes.root}>
      <svg
        ref={drawing}
        viewBox={`0 0 ${mapSize.width} ${mapSize.height}`}
        aria-hidden="true"
        className={classes.map}
      >
        <path d={waves} className={classes.wave} />
        <path d={land} className={classes.land} />
        <path d={lakes} className={classes.lake} />
        <path d={spruces} className={classes.spruce} />
        {towns.map((town) => {
          const { x, y } = toMap(town);
          // The pin's own name is in its place.
          if (point && Math.hypot(x - pin.x, y - pin.y) < 24) return null;
          return (
            <g key={town.name.en}>
              <circle cx={x} cy={y} r={2} className={classes.dot} />
              <text x={x - 6} y={y - 5} textAnchor="end" className={classes.town}>
                {town.name[language]}
              </text>
            </g>
          );
        })}
        {point && name && (
          <text x={pin.x + 16} y={pin.y - 12} className={classes.name}>
            {name}
          </text>
        )}
      </svg>
      <IconButton
        label={t('experimentEdit.where.pin')}
        aria-describedby="pin-at"
        className={`${classes.pin} ${point ? '' : classes.faint}`}
        style={{ left: `${(pin.x / mapSize.width) * 100}%`, top: `${(pin.y / mapSize.height) * 100}%` }}
        onKeyDown={onKeyDown}
        onBlur={onLeave}
        onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
        onPointerMove={(event) => {
          if (event.currentTarget.hasPointerCapture(event.pointerId)) moveTo(event);
        }}
        onPointerUp={onLeave}
        icon={
          <svg viewBox="0 0 30 38" width={30} height={38} aria-hidden="true">
            <path d="M15 37C6 26 2 20 2 14a13 13 0 0 1 26 0c0 6-4 12-13 23Z" />
            <circle cx={15} cy={14} r={5} />
          </svg>
        }
      />
    </div>
  );
}
