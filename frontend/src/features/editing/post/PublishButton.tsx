import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../ui/Button';
import { ConfirmDialog } from '../../../ui/ConfirmDialog';

export interface PublishButtonProps {
  isDraft: boolean;
  /** How many letters would leave. */
  letters: number;
  /** Who reads what, in words. */
  reach: ReactNode;
  /** There is a title and a text. */
  canLeave: boolean;
  isBusy: boolean;
  /** Saves what is typed, so that what is asked about is true. False when that did not work. */
  onBefore: () => Promise<boolean>;
  onPublish: () => void;
  onUnpublish: () => void;
}

/** Says what it does, and asks before: who will read it, and how many letters leave that cannot be called back. */
export function PublishButton(props: PublishButtonProps) {
  const { isDraft, letters, reach, canLeave, isBusy, onBefore, onPublish, onUnpublish } = props;
  const { t } = useTranslation();
  const [asked, setAsked] = useState(false);
  const [isPreparing, setPreparing] = useState(false);
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
  const press = async () => {
    setMissing(isDraft && !canLeave);
    if (isDraft && !canLeave) return;
    setPreparing(true);
    const isSaved = await onBefore();
    setPreparing(false);
    setAsked(isSaved);
  };
  return (
    <>
      <Button
        variant={isDraft ? 'filled' : 'outline'}
        loading={isBusy || isPreparing}
        onClick={() => void press()}
      >
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
        {isDraft ? (
          <>
            {reach}{' '}
            {letters > 0 ? t('editing.post.publishText', { count: letters }) : t('editing.post.noLetters')}
          </>
        ) : (
          t('editing.post.unpublishText')
        )}
      </ConfirmDialog>
    </>
  );
}
