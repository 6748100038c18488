import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import {
  content,
  useCampaignPreviewsQuery,
  useCategoriesQuery,
  useExperimentPreviewsQuery,
  useSubscriptionCampaignsQuery,
  type CampaignPreview,
} from '../../../api/content';
import { selectUser } from '../../../api/session';
import { useLanguage } from '../../../i18n';
import type { PageLoaderArgs } from '../../../ui/page';
import { lazyComponent } from '../../../ui/lazyComponent';
import { usePageTitle } from '../../../ui/usePageTitle';
import { CategoryChips } from './CategoryChips';
import { ClosingBand } from './ClosingBand';
import { EndingSoon } from './EndingSoon';
import { ExperimentRow } from './ExperimentRow';
import { FundingNow } from './FundingNow';
import { Hero } from './Hero';
import { MonthlyBand } from './MonthlyBand';
import { homeCalls } from './calls';

const MySuggestions = lazyComponent(
  () => import(/* webpackChunkName: "suggestions" */ '../../../ui/suggestions/MySuggestions'),
  { skeleton: <></> },
);

/** Waits only for the most popular campaigns, because the first screen shows one of them. */
export async function load({ language, dispatch }: PageLoaderArgs) {
  const { campaignPreviews, categories, subscriptionCampaigns, experimentPreviews } = content.endpoints;
  const calls = homeCalls(language);
  const hero = dispatch(campaignPreviews.initiate(calls.popular, { subscribe: false }));
  void dispatch(campaignPreviews.initiate(calls.ending, { subscribe: false }));
  void dispatch(categories.initiate(calls.categories, { subscribe: false }));
  void dispatch(subscriptionCampaigns.initiate(calls.monthly, { subscribe: false }));
  void dispatch(experimentPreviews.initiate(calls.experiments, { subscribe: false }));
  await hero;
}

/** The home page. */
export function Component() {
  const { t } = useTranslation();
  const language = useLanguage();
  usePageTitle(t('home.title'));
  const user = useSelector(selectUser);
  const calls = homeCalls(language);
  const popular = useCampaignPreviewsQuery(calls.popular);
  const ending = useCampaignPreviewsQuery(calls.ending);
  const categories = useCategoriesQuery(calls.categories);
  const monthly = useSubscriptionCampaignsQuery(calls.monthly);
  const experiments = useExperimentPreviewsQuery(calls.experiments);
  const [first, ...others] = popular.data?.previews ?? [];
  const soon = without(first ? [first] : [], ending.data?.previews ?? []).slice(0, 3);

  return (
    <>
      <Hero campaign={first} isLoading={popular.isLoading} />
      <CategoryChips categories={categories.data?.categories ?? []} />
      <EndingSoon campaigns={soon} list={ending} />
      <FundingNow
        campaigns={without(soon, others).slice(0, 6)}
        total={popular.data?.total ?? 0}
        isMore={popular.data?.total_is_more ?? false}
        list={popular}
      />
      <MonthlyBand list={monthly} />
      <ExperimentRow list={experiments} />
      {user && <MySuggestions />}
      <ClosingBand title={t('home.closingTitle')} />
    </>
  );
}

/** The campaigns that are not shown above. */
function without(shown: readonly CampaignPreview[], campaigns: readonly CampaignPreview[]) {
  return campaigns.filter(({ campaign_id }) => shown.every((one) => one.campaign_id !== campaign_id));
}
