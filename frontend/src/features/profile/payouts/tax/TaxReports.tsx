import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isApiError } from '../../../../api/apiError';
import {
  useLazyTaxReportQuery,
  useTaxReportsQuery,
  type TaxQuarter,
  type TaxYear,
} from '../../../../api/taxData';
import { useLanguage } from '../../../../i18n';
import { useErrorText } from '../../../../i18n/errorText';
import { formatMoney } from '../../../../i18n/format';
import { Button } from '../../../../ui/Button';
import { saveSheet } from '../../../../ui/saveFile';
import { useOwnAct } from '../../../../ui/useOwnAct';
import { Failure } from '../Failure';
import parts from '../PayoutsPage.module.css';
import classes from './TaxReports.module.css';

/** What is reported of a creator, year by year. Nothing is shown before there is anything. */
export function TaxReports() {
  const { t } = useTranslation();
  const language = useLanguage();
  const errorText = useErrorText();
  const { data } = useTaxReportsQuery();
  const [fetchReport] = useLazyTaxReportQuery();
  const { act, isActing } = useOwnAct();
  const [failure, setFailure] = useState<string>();
  if (!data?.years.length) return null;
  const save = async (year: number) => {
    setFailure(undefined);
    const answer = await act(() => fetchReport({ year, language }));
    if (answer?.data !== undefined) saveSheet(answer.data, `talkoot-tax-${year}`);
    else if (isApiError(answer?.error)) setFailure(errorText(answer.error, 'TaxReports'));
  };
  return (
    <section aria-labelledby="tax-reports" className={classes.root}>
      <h3 id="tax-reports">{t('payouts.tax.reports.title')}</h3>
      <p className={parts.note}>{t('payouts.tax.reports.lead')}</p>
      {data.years.map((year) => (
        <div key={`${year.year} ${year.currency}`} className={classes.root}>
          <Year year={year} />
          <div className={parts.actions}>
            <Button variant="light" loading={isActing} onClick={() => void save(year.year)}>
              {t('payouts.tax.reports.csv', { year: String(year.year) })}
            </Button>
          </div>
        </div>
      ))}
      {failure && <Failure>{failure}</Failure>}
    </section>
  );
}

function Year({ year: { year, currency, quarters } }: { year: TaxYear }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const sum = (minor: number) => formatMoney(language, minor / 100, { cents: true, currency });
  const all = (what: keyof TaxQuarter) => quarters.reduce((whole, quarter) => whole + quarter[what], 0);
  return (
    <div className={classes.scroll}>
      <table className={classes.table}>
        <caption>{year}</caption>
        <thead>
          <tr>
            {(['quarter', 'consideration', 'fee', 'payments'] as const).map((name) => (
              <th key={name} scope="col">
                {t(`payouts.tax.reports.${name}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {quarters.map((quarter, i) => (
            <tr key={i}>
              <th scope="row">{i + 1}</th>
              <td>{sum(quarter.consideration_minor)}</td>
              <td>{sum(quarter.fee_minor)}</td>
              <td>{quarter.activities}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{t('payouts.tax.reports.sum')}</th>
            <td>{sum(all('consideration_minor'))}</td>
            <td>{sum(all('fee_minor'))}</td>
            <td>{all('activities')}</td>
          </tr>
        </tfoot>
      </table>
    </div>
  );
}
