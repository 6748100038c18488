import { useTranslation } from 'react-i18next';
import { Link, useLocation, useNavigate } from 'react-router-dom';
import { useDeskOverviewQuery, useDeskSearchQuery, type DeskOverview } from '../../../api/desk';
import { paths } from '../../../domain/paths';
import { useLanguage } from '../../../i18n';
import { formatAgo, formatCount, formatDateTime } from '../../../i18n/format';
import { keepFocus } from '../../../ui/page';
import { SearchField } from '../../../ui/SearchField';
import { useNow } from '../../../ui/useNow';
import { Disputes } from './Disputes';
import { Found } from './Found';
import { Shown } from './Shown';
import { Warnings } from './Warnings';
import { useSum, useWords } from './useWords';
import classes from './Desk.module.css';

/** What waits for a person, and the search of everything. The searched word is in the history, not in the address: it may be somebody's. */
export function Desk() {
  const { t } = useTranslation();
  const language = useLanguage();
  const navigate = useNavigate();
  const { state } = useLocation() as { state: { word?: string } | null };
  const word = state?.word ?? '';
  const found = useDeskSearchQuery({ deskWord: { word } }, { skip: word === '' });
  const overview = useDeskOverviewQuery(undefined, { pollingInterval: 60_000, skipPollingIfUnfocused: true });
  return (
    <>
      <div className={classes.search}>
        <SearchField
          look="large"
          label={t('desk.search.label')}
          keyword={word}
          onSearch={(next) =>
            void navigate(paths.money(language), {
              state: { ...keepFocus, word: next },
              preventScrollReset: true,
            })
          }
        />
        {word !== '' && <Shown query={found}>{(data) => <Found found={data} />}</Shown>}
      </div>
      <Shown query={overview}>{(data) => <Overview data={data} />}</Shown>
    </>
  );
}

function Overview({ data }: { data: DeskOverview }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const now = useNow();
  const words = useWords();
  const sum = useSum();
  const age = (at: string | undefined) => at && formatAgo(language, Date.parse(at), now);
  const { operator, compared_at: compared } = data;
  return (
    <>
      <p className={classes.who}>
        <span>{operator ? t('desk.actsAs', { name: operator }) : t('desk.lookOnly')}</span>
        <span>
          {compared
            ? t('desk.compared', { time: formatDateTime(language, compared) })
            : t('desk.neverCompared')}
        </span>
      </p>
      <div className={classes.columns}>
        <div className={classes.main}>
          <section className={classes.panel} aria-labelledby="desk-anomalies">
            <h2 id="desk-anomalies">
              {t('desk.overview.anomalies')}{' '}
              <Waiting count={data.anomalies.reduce((all, { count }) => all + count, 0)} />
            </h2>
            {data.anomalies.length === 0 && <p className={classes.calm}>{t('desk.overview.allMatch')}</p>}
            <ul className={classes.rows}>
              {data.anomalies.map(({ what, count, oldest_at: oldest }) => (
                <li key={what}>
                  <div>
                    <Link to={paths.money(language, 'anomalies')}>
                      {t(`desk.kind.${what as 'held_money'}.title`)}
                    </Link>
                    <p>{oldest && t('desk.overview.oldest', { time: age(oldest) })}</p>
                  </div>
                  <b>{formatCount(language, count)}</b>
                </li>
              ))}
            </ul>
          </section>
          <section className={classes.panel} aria-labelledby="desk-warnings">
            <h2 id="desk-warnings">
              {t('desk.overview.warnings')} <Waiting count={data.warnings.length} />
            </h2>
            <Warnings warnings={data.warnings} />
          </section>
          <section className={classes.panel} aria-labelledby="desk-disputes">
            <h2 id="desk-disputes">
              {t('desk.overview.disputes')} <Waiting count={data.disputes.length} />
            </h2>
            <Disputes disputes={data.disputes} />
          </section>
        </div>
        <div className={classes.side}>
          <section className={classes.panel} aria-labelledby="desk-runs">
            <h2 id="desk-runs">
              {t('desk.overview.runs')} <Waiting count={data.runs.length} />
            </h2>
            {data.runs.length === 0 && <p className={classes.calm}>{t('desk.overview.noRuns')}</p>}
            <ul className={classes.rows}>
              {data.runs.map((run) => (
                <li key={run.run_id}>
                  <div>
                    <Link to={paths.money(language, 'runs', run.run_id)}>
                      {run.title || `#${run.campaign_id}`}
                    </Link>
                    <p>
                      {run.reason
                        ? t('desk.run.waits', { reason: words('reason', run.reason) })
                        : `${t('desk.run.proposedBy', { name: run.proposed_by })}, ${t('desk.run.approvedOf', { count: run.approvals, needed: run.needed })}`}
                    </p>
                  </div>
                  <b>{sum(run.net_minor, run.currency)}</b>
                </li>
              ))}
            </ul>
          </section>
          <Ruled
            title={t('desk.overview.refunds')}
            to={paths.money(language, 'refunds')}
            rows={data.refunds.map(({ what, count, oldest_at: oldest, until }) => ({
              name: words('refundCount', what),
              count,
              age: age(oldest),
              until: until && t('desk.overview.until', { time: formatDateTime(language, until) }),
            }))}
          />
          <Ruled
            title={t('desk.overview.webhooks')}
            to={paths.money(language, 'webhooks')}
            rows={[
              { name: t('desk.overview.storedToday'), count: data.webhooks.stored_today },
              {
                name: t('desk.overview.failed'),
                count: data.webhooks.failed,
                isBad: data.webhooks.failed > 0,
              },
              {
                name: t('desk.overview.waiting'),
                count: data.webhooks.waiting,
                age: age(data.webhooks.oldest_at),
              },
            ]}
          />
          <Ruled
            title={t('desk.overview.queues')}
            rows={data.queues.map(({ what, count, oldest_at: oldest }) => ({
              name: words('queue', what),
              count,
              age: age(oldest),
            }))}
          />
          <section className={classes.ruled} aria-labelledby="desk-providers">
            <h2 id="desk-providers">
              <Link to={paths.money(language, 'switches')}>{t('desk.overview.providers')}</Link>
            </h2>
            <dl>
              {data.providers.map(({ provider, is_on: isOn }) => (
                <div key={provider}>
                  <dt>{words('provider', provider)}</dt>
                  <dd data-bad={!isOn || undefined}>{t(isOn ? 'desk.on' : 'desk.off')}</dd>
                </div>
              ))}
            </dl>
          </section>
        </div>
      </div>
    </>
  );
}

/** How much waits for a person. None stands out less. */
function Waiting({ count }: { count: number }) {
  const language = useLanguage();
  return <b data-none={count === 0 || undefined}>{formatCount(language, count)}</b>;
}

interface RuledProps {
  title: string;
  to?: string;
  rows: readonly { name: string; count: number; age?: string; until?: string; isBad?: boolean }[];
}

/** Counts between hairlines, with the age of the oldest. */
function Ruled({ title, to, rows }: RuledProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  return (
    <section className={classes.ruled} aria-label={title}>
      <h2>{to ? <Link to={to}>{title}</Link> : title}</h2>
      <dl>
        {rows.map(({ name, count, age, until, isBad }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd data-bad={isBad ? true : undefined}>
              {count === 0 ? t('desk.overview.empty') : formatCount(language, count)}
              {count > 0 && age && <span>{until ?? t('desk.overview.oldest', { time: age })}</span>}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
