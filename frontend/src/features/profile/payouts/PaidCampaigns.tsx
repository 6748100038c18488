import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isApiError } from '../../../api/apiError';
import type { CampaignPreview } from '../../../api/content';
import {
  useLazyCampaignAdminQuery,
  useMyCampaignsQuery,
  useSetPaymentAccountMutation,
  type PaymentAccountChange,
} from '../../../api/editing';
import { useAppDispatch } from '../../../api/useAppDispatch';
import { foreignLang } from '../../../domain/languages';
import { campaignStageName } from '../../../domain/stages';
import { useLanguage } from '../../../i18n';
import { useErrorText } from '../../../i18n/errorText';
import { Button } from '../../../ui/Button';
import { Chip } from '../../../ui/Chip';
import { Picture } from '../../../ui/Picture';
import { askToSignIn } from '../../../ui/signInPrompt';
import { Unread } from '../../../ui/Unread';
import { Failure } from './Failure';
import { ownCampaigns } from './ownCampaigns';
import classes from './PayoutsPage.module.css';

export interface PaidCampaignsProps {
  userId: number;
  isSignedIn: boolean;
  accounts: PaymentAccountChange;
}

/** How many accounts there are, for the words. */
const countOf = ({ stripe_account_id: a, mangopay_wallet_id: b }: PaymentAccountChange) => (a && b ? 2 : 1);

/** The campaigns whose team one is in, and the way to have them paid to one's accounts. */
export function PaidCampaigns({ userId, isSignedIn, accounts }: PaidCampaignsProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const call = useMyCampaignsQuery({ language, ...ownCampaigns }, { skip: !isSignedIn });
  const { data } = call;
  return (
    <section aria-labelledby="paid-campaigns" className={classes.part}>
      <h2 id="paid-campaigns">{t('payouts.campaigns.title', { count: countOf(accounts) })}</h2>
      {data ? (
        data.previews.length === 0 ? (
          <p className={classes.lead}>{t('payouts.campaigns.none')}</p>
        ) : (
          <ul className={classes.rows}>
            {data.previews.map((campaign) => (
              <PaidCampaign
                key={campaign.campaign_id}
                campaign={campaign}
                isCreator={campaign.creator.user_id === userId}
                accounts={accounts}
              />
            ))}
          </ul>
        )
      ) : (
        <Unread of={call} where="PaidCampaigns" lines={4} />
      )}
    </section>
  );
}

interface PaidCampaignProps {
  campaign: CampaignPreview;
  isCreator: boolean;
  accounts: PaymentAccountChange;
}

function PaidCampaign({ campaign, isCreator, accounts }: PaidCampaignProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { link, isLinked, isBusy, failure } = useLink(campaign.campaign_id, accounts);
  const stage = campaignStageName(campaign.stage);
  const title = campaign.title || t('payouts.campaigns.untitled');
  const count = countOf(accounts);
  const hasAccount = campaign.work?.payment_account ?? false;
  return (
    <li className={classes.campaign}>
      <Picture
        name={campaign.project_pic}
        alt=""
        ratio={1.6}
        widths={[96, 192, 400]}
        sizes="6rem"
        shape="thumb"
      />
      <div>
        <h3 className={classes.name} lang={foreignLang(campaign.language, language)}>
          {title}
        </h3>
        <p className={classes.note}>
          {stage && t(`stage.${stage}`)}
          {hasAccount && !isLinked && ` · ${t('payouts.campaigns.has')}`}
        </p>
      </div>
      {!isCreator ? (
        <p className={classes.note}>{t('payouts.campaigns.creatorLinks')}</p>
      ) : (
        // The focus stays here when the button goes.
        <div role="status" tabIndex={-1} className={classes.link}>
          {isLinked ? (
            <Chip tone="spruce">{t('payouts.campaigns.linked', { count })}</Chip>
          ) : (
            <Button
              variant="outline"
              size="sm"
              loading={isBusy}
              onClick={({ currentTarget }) => link(currentTarget.parentElement)}
            >
              {t(hasAccount ? 'payouts.campaigns.change' : 'payouts.campaigns.link', { count })}
              <span className="tk-visually-hidden"> {t('payouts.campaigns.of', { title })}</span>
            </Button>
          )}
        </div>
      )}
      {failure && <Failure>{failure}</Failure>}
    </li>
  );
}

/** Links a campaign to one's accounts. Only on a press is it read which the campaign has. */
function useLink(campaignId: number, accounts: PaymentAccountChange) {
  const { t } = useTranslation();
  const dispatch = useAppDispatch();
  const errorText = useErrorText();
  const [read, { isFetching }] = useLazyCampaignAdminQuery();
  const [set, { isLoading }] = useSetPaymentAccountMutation();
  const [isLinked, setLinked] = useState(false);
  const [failure, setFailure] = useState<string>();

  const link = async (place: HTMLElement | null) => {
    setFailure(undefined);
    const now = await read({ campaignId });
    const settings = now.data?.campaign.settings;
    let { error } = now;
    const isSame =
      settings?.payment_account_id === accounts.stripe_account_id &&
      settings?.payment_wallet_id === accounts.mangopay_wallet_id;
    if (settings && !isSame) ({ error } = await set({ campaignId, paymentAccountChange: accounts }));
    if (!isApiError(error)) {
      setLinked(true);
      place?.focus();
      return;
    }
    setFailure(error.http === 403 ? t('payouts.campaigns.notCreator') : errorText(error, 'PaidCampaigns'));
    if (error.http === 401) dispatch(askToSignIn());
  };

  return {
    link: (place: HTMLElement | null) => void link(place),
    isLinked,
    isBusy: isFetching || isLoading,
    failure,
  };
}
