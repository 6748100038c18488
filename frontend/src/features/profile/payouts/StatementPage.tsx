import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { Link, useParams } from 'react-router-dom';
import { isApiError } from '../../../api/apiError';
import { useMyCampaignsQuery } from '../../../api/editing';
import { useLazyPayoutLinesQuery, usePayoutStatementQuery, type PayoutStatement } from '../../../api/payees';
import { selectUser, type LocalUser } from '../../../api/session';
import { foreignLang } from '../../../domain/languages';
import { paths } from '../../../domain/paths';
import { useLanguage } from '../../../i18n';
import { useErrorText } from '../../../i18n/errorText';
import { formatDate, formatMoney, formatMonth } from '../../../i18n/format';
import { AppMantineProvider } from '../../../ui/AppMantineProvider';
import { Button } from '../../../ui/Button';
import { ErrorState } from '../../../ui/ErrorState';
import { OwnPage } from '../../../ui/own/OwnPage';
import { saveSheet } from '../../../ui/saveFile';
import { Unread } from '../../../ui/Unread';
import { usePageTitle } from '../../../ui/usePageTitle';
import { FeeDocument } from './FeeDocument';
import { ownCampaigns } from './ownCampaigns';
import { PayoutStatement as Sums } from './PayoutStatement';
import { SignIn } from './SignIn';
import classes from './StatementPage.module.css';

/** The statement of one payout, for its creator's books: read here, on paper or as PDF by the browser, or as CSV. */
export function Component() {
  const { t } = useTranslation();
  const language = useLanguage();
  const runId = useParams().payout ?? '';
  const user = useSelector(selectUser);
  const call = usePayoutStatementQuery({ runId }, { skip: !user });
  const { currentData } = call;
  usePageTitle(t('payouts.statement.title'));
  return (
    <AppMantineProvider>
      <OwnPage title={t('payouts.statement.title')}>
        <p className={classes.back}>
          <Link to={paths.payouts(language)}>{t('payouts.statement.back')}</Link>
        </p>
        {!user ? (
          <SignIn />
        ) : currentData ? (
          <Statement statement={currentData} user={user} runId={runId} />
        ) : (
          <Unread of={call} where="Statement" lines={10} />
        )}
      </OwnPage>
    </AppMantineProvider>
  );
}

interface StatementProps {
  statement: PayoutStatement;
  user: LocalUser;
  runId: string;
}

function Statement({ statement, user, runId }: StatementProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const errorText = useErrorText();
  const { payout, days, fee, credits } = statement;
  const { currency, month, ended_at: ended, arrived_at: arrived, bank } = payout;
  const { data } = useMyCampaignsQuery({ language, ...ownCampaigns });
  const campaign = data?.previews.find(({ campaign_id: id }) => id === payout.campaign_id);
  const [fetchLines, { isFetching, error }] = useLazyPayoutLinesQuery();
  const save = async () => {
    const { data: lines } = await fetchLines({ runId, language });
    if (lines !== undefined) saveSheet(lines, `talkoot-${runId}`);
  };
  const sum = (minor: number) => formatMoney(language, minor / 100, { cents: true, currency });
  const parties = [
    [t('payouts.statement.campaign'), campaign?.title ?? t('payouts.payout.campaign')],
    [t('payouts.statement.to'), `${user.first_name} ${user.last_name}`],
    month
      ? [t('payouts.statement.month'), formatMonth(language, month)]
      : [t('payouts.statement.ended'), formatDate(language, ended)],
    arrived && [t('payouts.statement.arrived'), formatDate(language, arrived)],
    bank && [t('payouts.statement.bank'), `${bank.country} ···· ${bank.last_four}`],
    [t('payouts.statement.id'), runId],
  ].filter((one): one is [string, string] => Array.isArray(one));
  return (
    <article className={classes.root}>
      <div className={classes.acts}>
        <Button variant="light" onClick={() => window.print()}>
          {t('payouts.statement.print')}
        </Button>
        {days.length > 0 && (
          <Button variant="outline" loading={isFetching} onClick={() => void save()}>
            {t('payouts.statement.save')}
          </Button>
        )}
      </div>
      {error && !isFetching && (
        <ErrorState onRetry={() => void save()}>
          {isApiError(error) && errorText(error, 'Statement')}
        </ErrorState>
      )}
      <dl className={classes.parties}>
        {parties.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd lang={value === campaign?.title ? foreignLang(campaign.language, language) : undefined}>
              {value}
            </dd>
          </div>
        ))}
      </dl>
      <Sums payout={payout} />
      {days.length > 0 && (
        <section aria-labelledby="days" className={classes.part}>
          <h2 id="days">{t('payouts.statement.days')}</h2>
          <div className={classes.scroll}>
            <table className={classes.table}>
              <thead>
                <tr>
                  {(['day', 'charges', 'collected', 'fee', 'reserve', 'net'] as const).map((name) => (
                    <th key={name} scope="col">
                      {t(`payouts.statement.column.${name}`)}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {days.map((day) => (
                  <tr key={day.day}>
                    <th scope="row">{formatDate(language, day.day)}</th>
                    <td>{day.charges}</td>
                    <td>{sum(day.collected_minor)}</td>
                    <td>{sum(day.fee_minor)}</td>
                    <td>{sum(day.reserve_minor)}</td>
                    <td>{sum(day.net_minor)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </section>
      )}
      {fee && (
        <FeeDocument fee={fee} credits={credits} sum={sum} buyer={`${user.first_name} ${user.last_name}`} />
      )}
    </article>
  );
}
