import { useTranslation } from 'react-i18next';
import type { CampaignOverview } from '../../api/editing';
import { useLanguage } from '../../i18n';
import { formatCount, formatMoney } from '../../i18n/format';
import part from './Part.module.css';
import { sourceName } from './rules';
import classes from './Sources.module.css';

/** Where backers came from: bars compare the numbers of backers. */
export function Sources({ overview: { sources, currency, monthly } }: { overview: CampaignOverview }) {
  const { t } = useTranslation();
  const language = useLanguage();
  if (sources.length === 0) return null;
  const most = Math.max(1, ...sources.map(({ backers }) => backers));
  const words = (source: string) => {
    const name = sourceName(source);
    if (name.key === 'name') return name.name;
    return name.key === 'search' ? t('overview.source.search', name) : t(`overview.source.${name.key}`);
  };
  return (
    <section aria-labelledby="overview-sources">
      <div className={part.head}>
        <h2 id="overview-sources">{t('overview.sources')}</h2>
        <span className="tk-small">
          {monthly ? t('overview.monthly.sourcesColumns') : t('overview.sourcesColumns')}
        </span>
      </div>
      <ul className={part.list}>
        {sources.map(({ source, backers, amount }) => (
          <li key={source} className={classes.row}>
            <span>{words(source)}</span>
            <span className={`${part.bar} ${classes.bar}`} aria-hidden="true">
              <span style={{ width: `${(backers / most) * 100}%` }} />
            </span>
            <span>{formatCount(language, backers)}</span>
            <b>{formatMoney(language, amount, { cents: false, currency })}</b>
          </li>
        ))}
      </ul>
    </section>
  );
}
