import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { useMyCampaignsQuery } from '../../../api/editing';
import { useOwnPayoutsQuery, type Payout } from '../../../api/payees';
import { foreignLang } from '../../../domain/languages';
import { paths } from '../../../domain/paths';
import { useLanguage } from '../../../i18n';
import { formatMoney, formatMonth, formatPastDay } from '../../../i18n/format';
import { Disclosure } from '../../../ui/Disclosure';
import { Money } from '../../../ui/Money';
import { useNow } from '../../../ui/useNow';
import { MoneyLine } from '../../../ui/MoneyLine';
import { Unread } from '../../../ui/Unread';
import { ownCampaigns } from './ownCampaigns';
import classes from './PayoutList.module.css';
import parts from './PayoutsPage.module.css';
import { PayoutStatement } from './PayoutStatement';
import { stopsOf } from './payoutStops';

/** What has become of the money of one's campaigns that have ended. Nothing is shown before there is any. */
export function PayoutList() {
  const { t } = useTranslation();
  const call = useOwnPayoutsQuery();
  const { data, error } = call;
  if (!data?.payouts.length) {
    return error ? <Unread of={call} where="PayoutList" lines={4} /> : null;
  }
  return (
    <section aria-labelledby="payouts" className={parts.part}>
      <h2 id="payouts">{t('payouts.payout.title')}</h2>
      <ul className={classes.list}>
        {data.payouts.map((payout, i) => (
          <li key={`${payout.campaign_id} ${i}`}>
            <OnePayout payout={payout} isFirst={i === 0} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function OnePayout({ payout, isFirst }: { payout: Payout; isFirst: boolean }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const now = useNow();
  const { currency, net_minor: net, stage, month } = payout;
  const collected = payout.collected_minor + payout.released_minor;
  const isBack = payout.collected_minor === 0 && collected > 0;
  const { data } = useMyCampaignsQuery({ language, ...ownCampaigns });
  const campaign = data?.previews.find(({ campaign_id: id }) => id === payout.campaign_id);
  const sum = (minor: number) => formatMoney(language, minor / 100, { cents: true, currency });
  const day = (time: string) => formatPastDay(language, time, now);
  const name = (stop: 'ended' | 'counted' | 'approved' | 'sent' | 'arrived') =>
    t(`payouts.payout.stop.${month && stop === 'ended' ? 'monthEnded' : stop}`);
  const how = t('payouts.payout.how', { collected: sum(collected), net: sum(net) });
  return (
    <article className={classes.payout}>
      <h3 className={classes.title} lang={campaign && foreignLang(campaign.language, language)}>
        {campaign?.title || t('payouts.payout.campaign')}
      </h3>
      {(month ?? isBack) && (
        <p className={classes.of}>
          {isBack || !month ? t('payouts.payout.back') : formatMonth(language, month)}
        </p>
      )}
      {collected > 0 && <Money amount={net / 100} currency={currency} hasCents />}
      <p className={classes.sentence}>{sentenceOf(payout, t, sum)}</p>
      {stage !== 'set_off' && stage !== 'carried' && <MoneyLine stops={stopsOf(payout, name, day)} />}
      {payout.statement_id && (
        <p>
          <Link to={paths.payout(language, payout.statement_id)}>{t('payouts.statement.open')}</Link>
        </p>
      )}
      {collected > 0 &&
        (isFirst ? (
          <PayoutStatement payout={payout} title={how} />
        ) : (
          <Disclosure label={how}>
            <PayoutStatement payout={payout} />
          </Disclosure>
        ))}
    </article>
  );
}

/** How far it is, in one sentence. */
function sentenceOf(
  { stage, counted_at: counted, bank, carried }: Payout,
  t: TFunction,
  sum: (minor: number) => string,
) {
  if (stage === 'carried') {
    return t('payouts.payout.sentence.carried', {
      sum: sum(carried?.sum_minor ?? 0),
      minimum: sum(carried?.minimum_minor ?? 0),
    });
  }
  if (stage === 'checking' && !counted) return t('payouts.payout.sentence.counting');
  const account = bank && `${bank.country} ···· ${bank.last_four}`;
  if (account && stage === 'paying') return t('payouts.payout.sentence.payingTo', { bank: account });
  if (account && stage === 'arrived') return t('payouts.payout.sentence.arrivedAt', { bank: account });
  return t(`payouts.payout.sentence.${stage}`);
}
