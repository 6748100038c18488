import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isApiError } from '../../../api/apiError';
import { useDeskTaxReportMutation, useLazyDeskJournalQuery, useLazyDeskVatQuery } from '../../../api/desk';
import { readNow } from '../../../api/extra';
import { useAppDispatch } from '../../../api/useAppDispatch';
import { all, minLength, regex, required } from '../../../domain/rules';
import { useErrorText } from '../../../i18n/errorText';
import { platformDay } from '../../../i18n/format';
import { Button } from '../../../ui/Button';
import { DayField } from '../../../ui/DayField';
import { TextField } from '../../../ui/fields';
import { saveSheet } from '../../../ui/saveFile';
import { Segments } from '../../../ui/Segments';
import { useAppForm } from '../../../ui/useAppForm';
import { useOwnAct } from '../../../ui/useOwnAct';
import classes from './Journal.module.css';

type Sheet = 'journal' | 'vat' | 'tax';

/** The ledger of some days, their value added tax, or what a year's report to the tax office has, as a file. */
export function Journal() {
  const { t } = useTranslation();
  const [sheet, setSheet] = useState<Sheet>('journal');
  return (
    <div className={classes.form}>
      <Segments<Sheet>
        label={t('desk.journal.what')}
        value={sheet}
        onChange={setSheet}
        segments={[
          { value: 'journal', label: t('desk.journal.journal') },
          { value: 'vat', label: t('desk.journal.vat') },
          { value: 'tax', label: t('desk.journal.tax') },
        ]}
      />
      {sheet === 'tax' ? <TaxReport /> : <Days sheet={sheet} />}
    </div>
  );
}

function Days({ sheet }: { sheet: 'journal' | 'vat' }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const dispatch = useAppDispatch();
  const [fetchJournal] = useLazyDeskJournalQuery();
  const [fetchVat] = useLazyDeskVatQuery();
  const today = platformDay(dispatch(readNow()));
  const form = useAppForm({
    initialValues: { from: `${today.slice(0, 8)}01`, to: today },
    rules: { from: required, to: required },
    onSubmit: async (days) => {
      const { data, error } = await (sheet === 'vat' ? fetchVat(days) : fetchJournal(days));
      if (isApiError(error)) form.showFailure(error, errorText(error, 'Journal'), 'to');
      else if (data !== undefined) saveSheet(data, `${sheet}-${days.from}-${days.to}`);
    },
  });
  return (
    <form {...form.formProps} className={classes.form}>
      <p>{t(sheet === 'vat' ? 'desk.journal.vatLead' : 'desk.journal.lead')}</p>
      <DayField label={t('desk.journal.from')} {...form.field('from')} />
      <DayField label={t('desk.journal.to')} {...form.field('to')} />
      <p>
        <Button type="submit" loading={form.isSubmitting}>
          {t('desk.journal.fetch')}
        </Button>
      </p>
    </form>
  );
}

/** Who was paid what in a year, for the report to the tax office: with why it is taken, which is kept. */
function TaxReport() {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const dispatch = useAppDispatch();
  const { act } = useOwnAct();
  const [take] = useDeskTaxReportMutation();
  const today = platformDay(dispatch(readNow()));
  const form = useAppForm({
    initialValues: { year: String(Number(today.slice(0, 4)) - 1), note: '' },
    rules: { year: all(required, regex(/^20\d\d$/)), note: all(required, minLength(3)) },
    onSubmit: async ({ year, note }) => {
      const answer = await act(() => take({ deskTaxReport: { year: Number(year), note } }));
      if (isApiError(answer?.error))
        form.showFailure(answer.error, errorText(answer.error, 'TaxReport'), 'note');
      else if (answer?.data !== undefined) saveSheet(answer.data, `tax-report-${year}`);
    },
  });
  return (
    <form {...form.formProps} className={classes.form}>
      <p>{t('desk.journal.taxLead')}</p>
      <TextField label={t('desk.journal.year')} inputMode="numeric" {...form.field('year')} />
      <TextField label={t('desk.note.label')} help={t('desk.note.help')} {...form.field('note')} />
      <p>
        <Button type="submit" loading={form.isSubmitting}>
          {t('desk.journal.fetch')}
        </Button>
      </p>
    </form>
  );
}
