import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router-dom';
import { content } from '../../api/content';
import { useCampaignOverviewQuery } from '../../api/editing';
import { useLanguage } from '../../i18n';
import ModeBar from '../../ui/modes/ModeBar';
import { ModePage } from '../../ui/modes/ModePage';
import type { Entered } from '../../ui/modes/useMode';
import { idParam, type PageLoaderArgs } from '../../ui/page';
import { Unread } from '../../ui/Unread';
import { usePageTitle } from '../../ui/usePageTitle';
import { BarActions } from './BarActions';
import { Overview } from './Overview';

/** Starts loading the campaign. Its overview is loaded once the reader's right to it is known. */
export function load({ params, language, dispatch }: PageLoaderArgs) {
  const campaignId = idParam(params.campaignId);
  void dispatch(content.endpoints.campaign.initiate({ campaignId, language }, { subscribe: false }));
  return null;
}

/** How a campaign is doing, for its team. */
export function Component() {
  const { t } = useTranslation();
  const campaignId = idParam(useParams().campaignId);
  usePageTitle(t('overview.pageTitle'));
  return (
    <ModePage campaignId={campaignId} mode="overview" title={t('overview.pageTitle')}>
      {(entered) => <OverviewContent key={campaignId} {...entered} />}
    </ModePage>
  );
}

function OverviewContent({ campaign, userId }: Entered) {
  const { t } = useTranslation();
  const language = useLanguage();
  const campaignId = campaign.campaign_id;
  const call = useCampaignOverviewQuery({ campaignId, language });
  const { currentData, error } = call;
  const overview = currentData?.overview;
  return (
    <>
      <ModeBar
        campaign={{ ...campaign, id: campaignId }}
        acl={campaign.acl}
        mode="overview"
        held={campaign.held}
        // Not before the overview, whose days left would move what is below them.
        end={
          (overview ?? error) && (
            <BarActions
              campaign={campaign}
              isMonthly={overview?.monthly !== undefined}
              daysLeft={overview?.pace?.days_left}
            />
          )
        }
      />
      {overview ? (
        <Overview campaign={campaign} overview={overview} userId={userId} />
      ) : (
        <div className="tk-container tk-section">
          <h1 className="tk-visually-hidden">{t('overview.pageTitle')}</h1>
          <Unread of={call} where="OverviewPage" lines={10} />
        </div>
      )}
    </>
  );
}
