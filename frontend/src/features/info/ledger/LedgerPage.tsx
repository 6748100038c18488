import { useTranslation } from 'react-i18next';
import { isApiError } from '../../../api/apiError';
import { ledger, useSealedDaysInfiniteQuery } from '../../../api/ledger';
import { useLanguage } from '../../../i18n';
import { useErrorText } from '../../../i18n/errorText';
import { formatCount, formatDate, formatDateTime } from '../../../i18n/format';
import { Button } from '../../../ui/Button';
import { EmptyState } from '../../../ui/EmptyState';
import { ErrorState } from '../../../ui/ErrorState';
import type { PageLoaderArgs } from '../../../ui/page';
import { LinesSkeleton } from '../../../ui/Skeletons';
import { usePageTitle } from '../../../ui/usePageTitle';
import classes from './LedgerPage.module.css';

export function load({ dispatch }: PageLoaderArgs) {
  void dispatch(ledger.endpoints.sealedDays.initiate(undefined, { subscribe: false }));
}

/** The hashes of the book's days, by which anybody can see that nothing was changed since. */
export function Component() {
  const { t } = useTranslation();
  usePageTitle(t('ledger.title'));
  return (
    <article className="tk-container tk-section">
      <h1 className="tk-form-title">{t('ledger.title')}</h1>
      <p className={`tk-lead ${classes.lead}`}>{t('ledger.lead')}</p>
      <section className={classes.section}>
        <h2 className={classes.heading}>{t('ledger.how')}</h2>
        <div className={classes.words}>
          <ol className={classes.steps}>
            <li>{t('ledger.step1')}</li>
            <li>{t('ledger.step2')}</li>
            <li>{t('ledger.step3')}</li>
          </ol>
          <p>{t('ledger.notShown')}</p>
        </div>
      </section>
      <section className={classes.section}>
        <h2 id="sealed-days" className={classes.heading}>
          {t('ledger.days')}
        </h2>
        <Days />
      </section>
    </article>
  );
}

function Days() {
  const { t } = useTranslation();
  const language = useLanguage();
  const errorText = useErrorText();
  const { currentData, error, isFetching, isFetchingNextPage, hasNextPage, fetchNextPage, refetch } =
    useSealedDaysInfiniteQuery(undefined);
  const days = currentData?.pages.flatMap((page) => page.days) ?? [];
  if (!currentData && error && !isFetching) {
    return (
      <ErrorState title={t('ledger.failed')} onRetry={refetch}>
        {isApiError(error) && errorText(error, 'LedgerPage')}
      </ErrorState>
    );
  }
  if (!currentData) return <LinesSkeleton lines={6} />;
  if (days.length === 0) return <EmptyState title={t('ledger.none')}>{t('ledger.noneWhy')}</EmptyState>;
  return (
    <div>
      <table className={classes.days} aria-labelledby="sealed-days">
        <thead>
          <tr>
            <th scope="col">{t('ledger.day')}</th>
            <th scope="col" className={classes.count}>
              {t('ledger.movements')}
            </th>
            <th scope="col">{t('ledger.hash')}</th>
          </tr>
        </thead>
        <tbody>
          {days.map(({ day, transactions, hash, sealed_at: sealed }) => (
            <tr key={day}>
              <th scope="row" title={t('ledger.sealed', { time: formatDateTime(language, sealed) })}>
                <time dateTime={day}>{formatDate(language, day)}</time>
              </th>
              <td className={classes.count} data-unit={t('ledger.unit', { count: transactions })}>
                {formatCount(language, transactions)}
              </td>
              <td className={classes.hash}>{hash}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {hasNextPage && (
        <Button
          variant="outline"
          className={classes.more}
          loading={isFetchingNextPage}
          onClick={() => void fetchNextPage()}
        >
          {t('ledger.more')}
        </Button>
      )}
    </div>
  );
}
