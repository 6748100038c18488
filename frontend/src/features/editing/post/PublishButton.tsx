import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../ui/Button';
import { ConfirmDialog } from '../../../ui/ConfirmDialog';

export interface PublishButtonProps {
  isDraft: boolean;
  /** How many emails would be sent. */
  letters: number;
  /** The campaign is on hold or was stopped: what keeps the emails back. */
  waitsFor?: 'on_hold' | 'stopped';
  /** Who will read what, in words. */
  reach: ReactNode;
  /** The post has a title and a text. */
  canPublish: boolean;
  isBusy: boolean;
  /** Saves what is typed, so that the confirmation is about the current post. Resolves to whether that worked. */
  onBefore: () => Promise<boolean>;
  onPublish: () => void;
  onUnpublish: () => void;
}

/** Publishes or unpublishes after a confirmation, which says who will read the post and how many emails are sent. */
export function PublishButton(props: PublishButtonProps) {
  const { isDraft, letters, waitsFor, reach, canPublish, isBusy, onBefore, onPublish, onUnpublish } = props;
  const { t } = useTranslation();
  const [asked, setAsked] = useState(false);
  const [isPreparing, setPreparing] = useState(false);
  const [isMissing, setMissing] = useState(false);
  // The dialog keeps its texts while it closes, although the post's status has changed by then.
  const [asksDraft, setAsksDraft] = useState(isDraft);
  const wordFor = (draft: boolean) => {
    if (!draft) return t('editing.post.unpublish');
    return t(letters > 0 && !waitsFor ? 'editing.post.publishAndSend' : 'editing.post.publish');
  };
  const act = () => {
    setAsked(false);
    if (isDraft) onPublish();
    else onUnpublish();
  };
  const press = async () => {
    setMissing(isDraft && !canPublish);
    if (isDraft && !canPublish) return;
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
      <span role="alert">{isMissing && !canPublish && t('editing.post.needsText')}</span>
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
            {letters === 0
              ? t('editing.post.noLetters')
              : waitsFor
                ? t(`editing.post.lettersWait.${waitsFor}`)
                : t('editing.post.publishText', { count: letters })}
          </>
        ) : (
          t('editing.post.unpublishText')
        )}
      </ConfirmDialog>
    </>
  );
}
