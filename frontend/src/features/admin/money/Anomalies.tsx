import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { useDeskAnomaliesQuery } from '../../../api/desk';
import { paths } from '../../../domain/paths';
import { useLanguage } from '../../../i18n';
import { formatAgo } from '../../../i18n/format';
import { EmptyState } from '../../../ui/EmptyState';
import { useNow } from '../../../ui/useNow';
import { Paging } from '../Paging';
import { Shown } from './Shown';
import { Tabs } from './Tabs';
import { pageSize, usePage } from './usePage';
import { useWords } from './useWords';
import classes from './Desk.module.css';

/** What no rule could settle: what is open, or what was mended. */
export function Anomalies() {
  const { t } = useTranslation();
  const language = useLanguage();
  const now = useNow();
  const words = useWords();
  const { offset, isOther: closed, show } = usePage('closed');
  const query = useDeskAnomaliesQuery({ closed, offset });
  return (
    <>
      <Tabs
        label={t('desk.parts.anomalies')}
        tabs={[
          { to: paths.money(language, 'anomalies'), name: t('desk.anomaly.open'), isCurrent: !closed },
          {
            to: paths.money(language, 'anomalies', undefined, { show: 'closed' }),
            name: t('desk.anomaly.closed'),
            isCurrent: closed,
          },
        ]}
      />
      <Shown query={query}>
        {({ anomalies, total }) => (
          <>
            {anomalies.length === 0 && (
              <EmptyState title={t(closed ? 'desk.anomaly.noClosed' : 'desk.anomaly.none')} />
            )}
            {anomalies.length > 0 && (
              <div className={classes.panel}>
                <ul className={classes.rows}>
                  {anomalies.map((one) => (
                    <li key={one.anomaly_id}>
                      <div>
                        <Link to={paths.money(language, 'anomalies', one.anomaly_id)}>
                          {t(`desk.kind.${one.kind as 'held_money'}.title`)}
                        </Link>
                        <p>
                          {words('provider', one.provider)}, {one.reference}
                        </p>
                      </div>
                      <span>{formatAgo(language, Date.parse(one.closed_at ?? one.found_at), now)}</span>
                    </li>
                  ))}
                </ul>
              </div>
            )}
            <Paging
              offset={offset}
              shown={anomalies.length}
              size={pageSize}
              total={total}
              to={(next) =>
                paths.money(language, 'anomalies', undefined, { show, offset: next || undefined })
              }
            />
          </>
        )}
      </Shown>
    </>
  );
}
