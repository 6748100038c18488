import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isApiError } from '../../../api/apiError';
import { useLazyDeskJournalQuery, useLazyDeskVatQuery } from '../../../api/desk';
import { readNow } from '../../../api/extra';
import { useAppDispatch } from '../../../api/useAppDispatch';
import { required } from '../../../domain/rules';
import { useErrorText } from '../../../i18n/errorText';
import { platformDay } from '../../../i18n/format';
import { Button } from '../../../ui/Button';
import { DayField } from '../../../ui/DayField';
import { saveSheet } from '../../../ui/saveFile';
import { Segments } from '../../../ui/Segments';
import { useAppForm } from '../../../ui/useAppForm';
import classes from './Journal.module.css';

type Sheet = 'journal' | 'vat';

/** The ledger of some days, or their value added tax, as a file for bookkeeping. */
export function Journal() {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const dispatch = useAppDispatch();
  const [sheet, setSheet] = useState<Sheet>('journal');
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
      <Segments<Sheet>
        label={t('desk.journal.what')}
        value={sheet}
        onChange={setSheet}
        segments={[
          { value: 'journal', label: t('desk.journal.journal') },
          { value: 'vat', label: t('desk.journal.vat') },
        ]}
      />
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
