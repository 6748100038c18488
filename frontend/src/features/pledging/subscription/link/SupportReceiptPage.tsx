import { useTranslation } from 'react-i18next';
import { isApiError } from '../../../../api/apiError';
import { useLinkedPledgeQuery } from '../../../../api/pledging';
import { useLinkedReceiptQuery } from '../../../../api/subscriptions';
import { useLanguage } from '../../../../i18n';
import { AppMantineProvider } from '../../../../ui/AppMantineProvider';
import { useLinkToken } from '../../../../ui/linkToken';
import { Receipt as PaidReceipt } from '../../../../ui/Receipt';
import { Unread } from '../../../../ui/Unread';
import { usePageTitle } from '../../../../ui/usePageTitle';
import { MonthReceipt } from '../MonthReceipt';
import { Expired, Others } from './Others';
import classes from './SupportLink.module.css';

/** The receipt that a mailed link shows: of a pledge or of one month, without who has paid. */
export function Component() {
  const { t } = useTranslation();
  const token = useLinkToken();
  usePageTitle(t('supportLink.receipt'));
  return (
    <AppMantineProvider>
      <article className={`tk-container ${classes.root}`}>
        {token ? <Receipt key={token} token={token} /> : <Expired />}
      </article>
    </AppMantineProvider>
  );
}

function Receipt({ token }: { token: string }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const call = useLinkedReceiptQuery({ receiptLink: { token }, language });
  const { data, error } = call;
  // The token of a pledge's receipt is none of a month's.
  if (isApiError(error) && error.http === 410) return <PledgeReceipt token={token} />;
  if (!data) return <Unread of={call} where="SupportReceiptPage" lines={8} />;
  const { receipt, ...record } = data;
  return (
    <>
      <h1 className={`tk-form-title ${classes.screen}`}>{t('supportLink.receipt')}</h1>
      <div className={classes.receipt}>
        <MonthReceipt record={{ ...record, amount: receipt.amount }} charge={receipt} />
      </div>
      <div className={classes.screen}>
        <Others />
      </div>
    </>
  );
}

function PledgeReceipt({ token }: { token: string }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const call = useLinkedPledgeQuery({ receiptLink: { token }, language });
  const { data, error } = call;
  if (isApiError(error) && error.http === 410) return <Expired />;
  if (!data) return <Unread of={call} where="SupportReceiptPage" lines={8} />;
  const { pledge } = data;
  return (
    <>
      <h1 className={`tk-form-title ${classes.screen}`}>{t('orderLinks.receipt')}</h1>
      <div className={classes.receipt}>
        <PaidReceipt pledge={pledge} campaign={{ ...pledge.campaign, funding_rule: pledge.funding_rule }} />
      </div>
    </>
  );
}
