import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../ui/Button';
import { ConfirmDialog } from '../../../ui/ConfirmDialog';

export interface PublishButtonProps {
  isDraft: boolean;
  /** How many letters would leave. */
  letters: number;
  /** There is a title and a text. */
  canLeave: boolean;
  isBusy: boolean;
  onPublish: () => void;
  onUnpublish: () => void;
}

/** Says what it does. Letters cannot be called back, so they are asked about once. */
export function PublishButton(props: PublishButtonProps) {
  const { isDraft, letters, canLeave, isBusy, onPublish, onUnpublish } = props;
  const { t } = useTranslation();
  const [asked, setAsked] = useState(false);
  const [isMissing, setMissing] = useState(false);
  const word = t(
    !isDraft
      ? 'editing.post.unpublish'
      : letters > 0
        ? 'editing.post.publishAndSend'
        : 'editing.post.publish',
  );
  const act = () => {
    setAsked(false);
    if (isDraft) onPublish();
    else onUnpublish();
  };
  const press = () => {
    setMissing(isDraft && !canLeave);
    if (isDraft && !canLeave) return;
    if (!isDraft || letters > 0) setAsked(true);
    else act();
  };
  return (
    <>
      <Button variant={isDraft ? 'filled' : 'outline'} loading={isBusy} onClick={press}>
        {word}
      </Button>
      <span role="alert">{isMissing && !canLeave && t('editing.post.needsText')}</span>
      <ConfirmDialog
        isOpen={asked}
        title={t(isDraft ? 'editing.post.publishTitle' : 'editing.post.unpublishTitle')}
        confirmLabel={word}
        cancelLabel={t('editing.post.notYet')}
        isDestructive={!isDraft}
        onConfirm={act}
        onCancel={() => setAsked(false)}
      >
        {isDraft ? t('editing.post.publishText', { count: letters }) : t('editing.post.unpublishText')}
      </ConfirmDialog>
    </>
  );
}
