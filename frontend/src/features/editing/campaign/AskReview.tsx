import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isApiError, type ApiError } from '../../../api/apiError';
import { useRequestReviewMutation } from '../../../api/editing';
import { campaignStages } from '../../../domain/stages';
import { useErrorText } from '../../../i18n/errorText';
import { Button } from '../../../ui/Button';
import { useWriting } from './context';

/** Asks for a review of a draft, once everything that is typed is saved. */
export function AskReview() {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const { admin, campaignId, saver, refresh } = useWriting();
  const [ask, { isLoading }] = useRequestReviewMutation();
  const [failure, setFailure] = useState<ApiError>();
  const { state } = admin.review;
  if (admin.stage !== campaignStages.draft || state === 'approved') return null;
  if (state === 'requested') return <b>{t('editing.campaign.asked')}</b>;
  const press = async () => {
    setFailure(undefined);
    if (!(await saver.flush())) return;
    const { error } = await ask({ campaignId });
    if (isApiError(error)) setFailure(error);
    await refresh();
  };
  return (
    <>
      {failure && <span role="alert">{errorText(failure, 'AskReview')}</span>}
      <Button size="sm" loading={isLoading} onClick={() => void press()}>
        {t('editing.campaign.askReview')}
      </Button>
    </>
  );
}
