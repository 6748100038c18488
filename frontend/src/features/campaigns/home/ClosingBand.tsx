import { Button } from '../../../ui/Button';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { paths } from '../../../domain/paths';
import { useLanguage } from '../../../i18n';
import classes from './ClosingBand.module.css';

// The knife cuts (ui/Cuts) in one tile of the pattern: x, y and horizontal slant.
const cuts = [
  [14, 10, 9],
  [66, 34, 7],
  [30, 78, 8],
  [84, 96, 9],
  [112, 8, 8],
  [128, 66, 7],
] as const;

export interface ClosingBandProps {
  title: string;
}

/** The band at the end of the home page: an invitation on a pattern of knife cuts. Looks the same in both themes. */
export function ClosingBand({ title }: ClosingBandProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  return (
    <section aria-labelledby="closing" className={classes.root}>
      <svg className={classes.cuts} aria-hidden="true">
        <pattern id="tk-cuts" width="144" height="124" patternUnits="userSpaceOnUse">
          {cuts.map(([x, y, lean]) => (
            <path
              key={`${x} ${y}`}
              d={`M${x} ${y + 28}Q${x - 2} ${y + 10} ${x + lean} ${y}Q${x + lean + 3} ${y + 18} ${x} ${y + 28}Z`}
              fill="var(--tk-band-cut)"
            />
          ))}
        </pattern>
        <rect width="100%" height="100%" fill="url(#tk-cuts)" />
      </svg>
      <div className={`tk-container ${classes.columns}`}>
        <h2 id="closing" className={classes.title}>
          {title}
        </h2>
        <div>
          <p className={classes.text}>{t('home.closingText')}</p>
          <Button component={Link} to={paths.createCampaign(language)} size="lg" className={classes.start}>
            {t('nav.start')}
          </Button>
        </div>
      </div>
    </section>
  );
}
