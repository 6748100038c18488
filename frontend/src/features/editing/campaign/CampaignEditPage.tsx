import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router-dom';
import { content } from '../../../api/content';
import ModeBar from '../../../ui/modes/ModeBar';
import { ModePage } from '../../../ui/modes/ModePage';
import { idParam, type PageLoaderArgs } from '../../../ui/page';
import { usePageTitle } from '../../../ui/usePageTitle';

export function load({ params, language, dispatch }: PageLoaderArgs) {
  const campaignId = idParam(params.campaignId);
  void dispatch(content.endpoints.campaign.initiate({ campaignId, language }, { subscribe: false }));
}

/** A campaign's page while it is written. */
export function Component() {
  const { t } = useTranslation();
  const campaignId = idParam(useParams().campaignId);
  usePageTitle(t('editing.campaign.pageTitle'));
  return (
    <ModePage campaignId={campaignId} mode="edit" title={t('editing.campaign.pageTitle')}>
      {({ campaign }) => (
        <ModeBar campaign={{ ...campaign, id: campaignId }} acl={campaign.acl} mode="edit" />
      )}
    </ModePage>
  );
}
