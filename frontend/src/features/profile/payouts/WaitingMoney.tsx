import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { useMyCampaignsQuery } from '../../../api/editing';
import { foreignLang } from '../../../domain/languages';
import { paths } from '../../../domain/paths';
import { campaignStages } from '../../../domain/stages';
import { useLanguage } from '../../../i18n';
import { exactMoney } from '../../../i18n/progressText';
import { ownCampaigns } from './ownCampaigns';
import classes from './PayoutsPage.module.css';

/** Money of one's campaigns that ended well, and that are paid to nobody's account yet. */
export function WaitingMoney({ userId }: { userId: number }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { currentData } = useMyCampaignsQuery({ language, ...ownCampaigns });
  const waiting = (currentData?.previews ?? []).filter(
    ({ creator, stage, funding_reached, work }) =>
      creator.user_id === userId &&
      stage === campaignStages.succeeded &&
      funding_reached > 0 &&
      work?.payment_account === false,
  );
  if (waiting.length === 0) return null;
  return (
    <section aria-labelledby="waiting-money" className={classes.part}>
      <h2 id="waiting-money">{t('payouts.waiting.title')}</h2>
      <p className={classes.lead}>{t('payouts.waiting.text', { count: waiting.length })}</p>
      <ul className={classes.sums}>
        {waiting.map((campaign) => (
          <li key={campaign.campaign_id}>
            <Link
              to={paths.campaignMode(language, { id: campaign.campaign_id, slug: campaign.slug }, 'overview')}
              lang={foreignLang(campaign.language, language)}
            >
              {campaign.title}
            </Link>
            <b>{exactMoney(language, campaign.funding_reached, campaign.currency)}</b>
          </li>
        ))}
      </ul>
    </section>
  );
}
