import '../sharedParts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router-dom';
import { content } from '../../../api/content';
import { useCampaignAdminQuery, type CampaignAdminAnswer } from '../../../api/editing';
import { ModePage } from '../../../ui/modes/ModePage';
import type { Entered } from '../../../ui/modes/useMode';
import { idParam, type PageLoaderArgs } from '../../../ui/page';
import { Unread } from '../../../ui/Unread';
import { usePageTitle } from '../../../ui/usePageTitle';
import { RichText } from '../richText/RichText';
import { CampaignEditor } from './CampaignEditor';

export function load({ params, language, dispatch }: PageLoaderArgs) {
  const campaignId = idParam(params.campaignId);
  void RichText.preload();
  void dispatch(content.endpoints.campaign.initiate({ campaignId, language }, { subscribe: false }));
}

/** The edit mode of a campaign's page. */
export function Component() {
  const { t } = useTranslation();
  const campaignId = idParam(useParams().campaignId);
  usePageTitle(t('editing.campaign.pageTitle'));
  return (
    <ModePage campaignId={campaignId} mode="edit" title={t('editing.campaign.pageTitle')}>
      {(entered) => <LoadedEditor key={campaignId} {...entered} />}
    </ModePage>
  );
}

/** Loads the campaign once and keeps it: an expired session clears the query cache, but not what was typed. */
function LoadedEditor({ campaign, userId }: Entered) {
  const { t } = useTranslation();
  const [first, setFirst] = useState<CampaignAdminAnswer>();
  const campaignId = campaign.campaign_id;
  const call = useCampaignAdminQuery({ campaignId, here: '' }, { skip: Boolean(first) });
  const { data } = call;
  if (data && !first) setFirst(data);
  if (first)
    return (
      <CampaignEditor campaign={campaign} first={first.campaign} writers={first.writers} userId={userId} />
    );
  return (
    <div className="tk-container tk-section">
      <h1 className="tk-visually-hidden">{t('editing.campaign.pageTitle')}</h1>
      <Unread of={call} where="CampaignEditPage" lines={10} />
    </div>
  );
}
