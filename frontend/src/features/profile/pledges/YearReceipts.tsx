import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isApiError } from '../../../api/apiError';
import { useLazyOwnPledgesQuery, type OwnPledge } from '../../../api/own';
import { useLanguage } from '../../../i18n';
import { useErrorText } from '../../../i18n/errorText';
import { Button } from '../../../ui/Button';
import { PrinterIcon } from '../../../ui/icons';
import { useNotify } from '../../../ui/notify';
import { Receipt } from '../../../ui/Receipt';
import classes from './MyPledgesPage.module.css';

/** The year in a receipt's number, TK-2026-000910. */
const yearOf = ({ receipt_number: number }: OwnPledge) => number?.split('-')[1];

// The API's maximum.
const pageSize = 300;

export interface YearReceiptsProps {
  /** Those that are listed; the years of their receipts are offered. */
  pledges: readonly OwnPledge[];
  /** All of the chosen year were read. */
  onPrint: (pledges: readonly OwnPledge[]) => void;
}

/** A button for each year with receipts, which prints all of that year's. */
export function YearReceipts({ pledges, onPrint }: YearReceiptsProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const errorText = useErrorText();
  const notify = useNotify();
  const [read] = useLazyOwnPledgesQuery();
  const [busy, setBusy] = useState<string>();
  const years = [...new Set(pledges.map(yearOf).filter((year) => year !== undefined))];

  const print = async (year: string) => {
    setBusy(year);
    const all: OwnPledge[] = [];
    for (let total = 1; all.length < total;) {
      const { data, error } = await read({ language, limit: pageSize, offset: all.length });
      if (!data || data.pledges.length === 0) {
        if (isApiError(error))
          notify({
            tone: 'error',
            title: t('myPledges.failedReceipts'),
            text: errorText(error, 'YearReceipts'),
          });
        if (!data) {
          setBusy(undefined);
          return;
        }
        break;
      }
      all.push(...data.pledges);
      total = data.total;
    }
    setBusy(undefined);
    onPrint(all.filter((pledge) => yearOf(pledge) === year));
  };
  return years.map((year) => (
    <Button
      key={year}
      variant="transparent"
      size="sm"
      className={classes.year}
      loading={busy === year}
      leftSection={<PrinterIcon size={16} />}
      onClick={() => void print(year)}
    >
      {t('myPledges.receipt.ofYear', { year })}
    </Button>
  ));
}

/** Receipts that are on paper alone, each on a page of its own. They are printed when they are there. */
export function PrintedReceipts({
  pledges,
  onPrinted,
}: {
  pledges: readonly OwnPledge[];
  onPrinted: () => void;
}) {
  const latest = useRef(onPrinted);
  useEffect(() => {
    latest.current = onPrinted;
  });
  useEffect(() => {
    const done = () => latest.current();
    window.addEventListener('afterprint', done);
    window.print();
    return () => window.removeEventListener('afterprint', done);
  }, [pledges]);
  return (
    <div className={classes.printed} data-print-alone>
      {pledges.map((pledge) => (
        <div key={pledge.pledge_id} className={classes.sheet}>
          <Receipt
            pledge={pledge}
            campaign={{ ...pledge.campaign, funding_rule: pledge.funding_rule }}
            isPlain
          />
        </div>
      ))}
    </div>
  );
}
