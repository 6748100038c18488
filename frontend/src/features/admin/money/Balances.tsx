import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { useDeskBalancesQuery, type DeskBalanceDay } from '../../../api/desk';
import { paths } from '../../../domain/paths';
import { useLanguage } from '../../../i18n';
import { formatDate, formatDateTime } from '../../../i18n/format';
import { EmptyState } from '../../../ui/EmptyState';
import table from '../../../ui/table/Table.module.css';
import { Paging } from '../Paging';
import { Shown } from './Shown';
import { SumCell, Table, When, WordsCell } from './Table';
import { Tabs } from './Tabs';
import { pageSize, usePage } from './usePage';
import { useSum, useWords } from './useWords';
import thing from './Thing.module.css';

/** What was in each place of our balance at the end of each day, by the book, the provider's list and its balance. */
export function Balances() {
  const { t } = useTranslation();
  const language = useLanguage();
  const { offset, isOther: differing, show } = usePage('differing');
  const query = useDeskBalancesQuery({ differing, offset });
  return (
    <>
      <Tabs
        label={t('desk.parts.balances')}
        tabs={[
          { to: paths.money(language, 'balances'), name: t('desk.balance.all'), isCurrent: !differing },
          {
            to: paths.money(language, 'balances', undefined, { show: 'differing' }),
            name: t('desk.balance.differing'),
            isCurrent: differing,
          },
        ]}
      />
      <h2 className={thing.title}>{t('desk.balance.title')}</h2>
      <p className={thing.lead}>{t('desk.balance.lead')}</p>
      <Shown query={query}>
        {({ days, total }) => (
          <>
            {days.length === 0 && (
              <EmptyState title={t(differing ? 'desk.balance.noneDiffer' : 'desk.balance.none')} />
            )}
            {days.length > 0 && (
              <Table
                label={t('desk.parts.balances')}
                columns={['place', 'day', 'book', 'objects', 'balance', 'differences']}
              >
                {days.map((one) => (
                  <Row key={`${one.provider} ${one.place} ${one.currency} ${one.day}`} one={one} />
                ))}
              </Table>
            )}
            <Paging
              offset={offset}
              shown={days.length}
              size={pageSize}
              total={total}
              to={(next) => paths.money(language, 'balances', undefined, { show, offset: next || undefined })}
            />
          </>
        )}
      </Shown>
    </>
  );
}

function Row({ one }: { one: DeskBalanceDay }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const words = useWords();
  const sum = useSum();
  const { place, currency, book_minor: book, objects_minor: objects, balance_minor: balance } = one;
  const own = (['main', 'fees', 'repudiation'] as const).find((name) => name === place);
  const name = own
    ? t(`desk.balance.${own}`)
    : one.campaign_id === undefined
      ? place
      : t('desk.balance.wallet', { id: one.campaign_id });
  const pairs = [
    ['bookObjects', book - objects],
    ['objectsBalance', balance === undefined ? 0 : objects - balance],
    ['bookBalance', balance === undefined ? 0 : book - balance],
  ] as const;
  return (
    <tr className={table.row}>
      <th scope="row" title={place}>
        {words('provider', one.provider)}, {name}
      </th>
      <td title={t('desk.balance.compared', { time: formatDateTime(language, one.compared_at) })}>
        {formatDate(language, one.day)}
        <When>{t('desk.balance.asOf', { time: formatDateTime(language, one.as_of) })}</When>
      </td>
      <SumCell>{sum(book, currency)}</SumCell>
      <SumCell>{sum(objects, currency)}</SumCell>
      <SumCell>{balance === undefined ? t('desk.balance.unread') : sum(balance, currency)}</SumCell>
      <WordsCell>
        {pairs
          .filter(([, minor]) => minor !== 0)
          .map(([pair, minor]) => (
            <p key={pair}>
              {t(`desk.balance.pair.${pair}`)}: {sum(minor, currency)}
            </p>
          ))}
        <p>{t(`desk.balance.verdict.${one.verdict}`)}</p>
        {one.foreign_minor !== 0 && (
          <p>{t('desk.balance.foreign', { sum: sum(one.foreign_minor, currency) })}</p>
        )}
        {one.anomaly_id !== undefined && (
          <Link to={paths.money(language, 'anomalies', one.anomaly_id)}>{t('desk.balance.link')}</Link>
        )}
      </WordsCell>
    </tr>
  );
}
