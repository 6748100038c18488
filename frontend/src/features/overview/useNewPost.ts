import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import type { Campaign } from '../../api/content';
import { useCreatePostMutation } from '../../api/editing';
import { paths } from '../../domain/paths';
import { useLanguage } from '../../i18n';
import { useNotify } from '../../ui/notify';

/** Begins a draft of an update and opens it. */
export function useNewPost(campaign: Campaign) {
  const { t } = useTranslation();
  const language = useLanguage();
  const navigate = useNavigate();
  const notify = useNotify();
  const [create, { isLoading }] = useCreatePostMutation();
  const begin = async () => {
    const { data } = await create({ campaignId: campaign.campaign_id, newPost: { language } });
    if (data)
      void navigate(paths.editPost(language, { ...campaign, id: campaign.campaign_id }, data.post.id));
    else notify({ tone: 'error', title: t('overview.writeFailed'), text: t('overview.tableFailedText') });
  };
  return { begin: () => void begin(), isLoading };
}
