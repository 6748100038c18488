import { useTranslation } from 'react-i18next';
import { isApiError } from '../../../api/apiError';
import { useLazyDeskJournalQuery } from '../../../api/desk';
import { readNow } from '../../../api/extra';
import { useAppDispatch } from '../../../api/useAppDispatch';
import { required } from '../../../domain/rules';
import { useErrorText } from '../../../i18n/errorText';
import { platformDay } from '../../../i18n/format';
import { Button } from '../../../ui/Button';
import { DayField } from '../../../ui/DayField';
import { saveSheet } from '../../../ui/saveFile';
import { useAppForm } from '../../../ui/useAppForm';
import classes from './Journal.module.css';

/** The ledger of some days as a file for bookkeeping. */
export function Journal() {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const dispatch = useAppDispatch();
  const [fetchJournal] = useLazyDeskJournalQuery();
  const today = platformDay(dispatch(readNow()));
  const form = useAppForm({
    initialValues: { from: `${today.slice(0, 8)}01`, to: today },
    rules: { from: required, to: required },
    onSubmit: async ({ from, to }) => {
      const { data, error } = await fetchJournal({ from, to });
      if (isApiError(error)) form.showFailure(error, errorText(error, 'Journal'), 'to');
      else if (data !== undefined) saveSheet(data, `journal-${from}-${to}`);
    },
  });
  return (
    <form {...form.formProps} className={classes.form}>
      <p>{t('desk.journal.lead')}</p>
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
