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
  // What the dialog is about stays while it closes, when the post is already the other.
  const [asksDraft, setAsksDraft] = useState(isDraft);
  const wordFor = (draft: boolean) => {
    if (!draft) return t('editing.post.unpublish');
    return t(letters > 0 ? 'editing.post.publishAndSend' : 'editing.post.publish');
  };
  const act = () => {
    setAsked(false);
    if (isDraft) onPublish();
    else onUnpublish();
  };
  const press = async () => {
    setMissing(isDraft && !canLeave);
    if (isDraft && !canLeave) return;
    setAsksDraft(isDraft);
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
        {wordFor(isDraft)}
      </Button>
      <span role="alert">{isMissing && !canLeave && t('editing.post.needsText')}</span>
      <ConfirmDialog
        isOpen={asked}
        title={t(asksDraft ? 'editing.post.publishTitle' : 'editing.post.unpublishTitle')}
        confirmLabel={wordFor(asksDraft)}
        cancelLabel={t('editing.post.notYet')}
        isDestructive={!asksDraft}
        onConfirm={act}
        onCancel={() => setAsked(false)}
      >
        {asksDraft ? (
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
