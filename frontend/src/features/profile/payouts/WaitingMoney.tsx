import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import type { CampaignPreview } from '../../../api/content';
import { useMyCampaignsQuery } from '../../../api/editing';
import { foreignLang } from '../../../domain/languages';
import { paths } from '../../../domain/paths';
import { campaignStages } from '../../../domain/stages';
import { useLanguage } from '../../../i18n';
import { exactMoney } from '../../../i18n/progressText';
import { ownCampaigns } from './ownCampaigns';
import classes from './PayoutsPage.module.css';
import { useKeeping } from './useKeeping';

/** One's ended campaigns whose money is one's own, and that have no account to pay it to. */
export function WaitingMoney({ userId }: { userId: number }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { currentData } = useMyCampaignsQuery({ language, ...ownCampaigns });
  const unlinked = (currentData?.previews ?? []).filter(
    (campaign) =>
      campaign.creator.user_id === userId && campaign.work?.payment_account === false && hasRaised(campaign),
  );
  const short = unlinked.filter(({ stage }) => stage === campaignStages.notReached);
  const keeping = useKeeping(short.map(({ campaign_id: id }) => id));
  const waiting = unlinked.filter(
    ({ campaign_id: id, stage }) => stage === campaignStages.succeeded || keeping.includes(id),
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
            {!campaign.hide_funding_amount && (
              <b>{exactMoney(language, campaign.funding_reached, campaign.currency)}</b>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The preview of a campaign that hides its sum has none. */
const hasRaised = ({ hide_funding_amount, funding_reached, number_of_backers }: CampaignPreview) =>
  hide_funding_amount ? number_of_backers > 0 : funding_reached > 0;
