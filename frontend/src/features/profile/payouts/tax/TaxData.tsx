import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isApiError } from '../../../../api/apiError';
import type { LocalUser } from '../../../../api/session';
import {
  useLazyTaxDataValuesQuery,
  useTaxDataQuery,
  type TaxDataValues,
  type TaxStanding,
} from '../../../../api/taxData';
import { useLanguage } from '../../../../i18n';
import { useErrorText } from '../../../../i18n/errorText';
import { formatCountry, formatDate } from '../../../../i18n/format';
import { Button } from '../../../../ui/Button';
import { ErrorState } from '../../../../ui/ErrorState';
import { useOwnAct } from '../../../../ui/useOwnAct';
import { Failure } from '../Failure';
import classes from '../PayoutsPage.module.css';
import { TaxForm } from './TaxForm';
import { TaxReports } from './TaxReports';

export interface TaxDataProps {
  user: LocalUser;
  /** Their session has not ended. */
  isSignedIn: boolean;
}

/** What the law on reporting by platforms asks of who is paid, and what is reported of them. Nothing is shown of who is not asked. */
export default function TaxData({ user, isSignedIn }: TaxDataProps) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const { data, error, refetch } = useTaxDataQuery(undefined, { skip: !isSignedIn });
  // What is typed stays while the session has ended.
  const [last, setLast] = useState<TaxStanding>();
  if (data && data !== last) setLast(data);
  if (!last) {
    return error ? (
      <section aria-labelledby="tax-data" className={classes.part}>
        <h2 id="tax-data">{t('payouts.tax.title')}</h2>
        <ErrorState onRetry={refetch}>{isApiError(error) && errorText(error, 'TaxData')}</ErrorState>
      </section>
    ) : null;
  }
  if (!last.is_asked) return null;
  const readAnew = async () => (await refetch()).data;
  return <Asked standing={last} user={user} isSignedIn={isSignedIn} readAnew={readAnew} />;
}

interface AskedProps extends TaxDataProps {
  standing: TaxStanding;
  readAnew: () => Promise<TaxStanding | undefined>;
}

function Asked({ standing, user, isSignedIn, readAnew }: AskedProps) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const [fetchValues] = useLazyTaxDataValuesQuery();
  const { act, isActing } = useOwnAct();
  const [open, setOpen] = useState<{ given?: TaxDataValues; version: number }>();
  const [isSaved, setSaved] = useState(false);
  const [failure, setFailure] = useState<string>();
  const { given, version } = standing;

  const openForm = async () => {
    setFailure(undefined);
    setSaved(false);
    if (!given) {
      setOpen({ version });
      return;
    }
    const answer = await act(() => fetchValues());
    if (answer?.data) setOpen({ given: answer.data, version: answer.data.version });
    else if (isApiError(answer?.error)) setFailure(errorText(answer.error, 'TaxData'));
  };
  // What was saved elsewhere is taken the place of by a second press alone.
  const followVersion = async () => {
    const now = await readAnew();
    if (now) setOpen((form) => form && { ...form, version: now.version });
  };
  return (
    <section aria-labelledby="tax-data" className={classes.part}>
      <h2 id="tax-data">{t('payouts.tax.title')}</h2>
      <p className={classes.lead}>{t('payouts.tax.why')}</p>
      {standing.missing.length > 0 && <Missing standing={standing} />}
      {isSaved && !open && <p role="status">{t('payouts.tax.saved')}</p>}
      {given && !open && <Given given={given} />}
      {open ? (
        <TaxForm
          given={open.given}
          version={open.version}
          firstName={user.first_name}
          lastName={user.last_name}
          onSaved={() => {
            setOpen(undefined);
            setSaved(true);
            void readAnew();
          }}
          onStale={() => void followVersion()}
          onLeave={() => setOpen(undefined)}
        />
      ) : (
        <div className={classes.actions}>
          <Button variant={given ? 'outline' : 'filled'} loading={isActing} onClick={() => void openForm()}>
            {t(given ? 'payouts.tax.change' : 'payouts.tax.give')}
          </Button>
        </div>
      )}
      {failure && <Failure>{failure}</Failure>}
      {isSignedIn && <TaxReports />}
    </section>
  );
}

/** What is missing, and by when. */
function Missing({ standing }: { standing: TaxStanding }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const parts = standing.missing.map((part) => t(`payouts.tax.parts.${part}`));
  return (
    <div className={classes.asking}>
      <p>{t('payouts.tax.missing', { parts: new Intl.ListFormat(language).format(parts) })}</p>
      {standing.is_held ? (
        <p className={classes.name}>{t('payouts.tax.held')}</p>
      ) : (
        standing.by && <p>{t('payouts.tax.by', { day: formatDate(language, standing.by) })}</p>
      )}
    </div>
  );
}

/** Enough of what was given to know it again. */
function Given({ given }: { given: NonNullable<TaxStanding['given']> }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { tin } = given;
  return (
    <div className={classes.words}>
      <p className={classes.name}>{given.name}</p>
      <p className={classes.note}>
        {t(`payouts.tax.row.${given.kind}`)}, {formatCountry(language, given.country)}
      </p>
      <p className={classes.note}>
        {tin
          ? `${t('payouts.tax.row.tin')}: ${t('payouts.tax.row.of', { country: formatCountry(language, tin.issued_by), end: tin.end })}`
          : t(given.kind === 'person' ? 'payouts.tax.row.noTin' : 'payouts.tax.row.noTinBusiness')}
      </p>
      <p className={classes.note}>
        {t('payouts.tax.givenAt', { day: formatDate(language, given.given_at) })}
      </p>
    </div>
  );
}
