import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isApiError } from '../../../api/apiError';
import { useDeleteRewardMutation } from '../../../api/editing';
import { useErrorText } from '../../../i18n/errorText';
import { Button } from '../../../ui/Button';
import { ConfirmDialog } from '../../../ui/ConfirmDialog';
import { LockIcon } from '../../../ui/icons';
import { SwitchField } from '../../../ui/SwitchField';
import { isNew } from './draft';
import classes from './RewardEditor.module.css';
import { Section } from './Section';
import type { RewardEditing } from './useRewardEditor';

/** Visibility and deletion. A reward that somebody has paid for or reserved shows why it cannot be deleted. */
export function Visibility({ editor, onDeleted }: { editor: RewardEditing; onDeleted: () => void }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const { base, draft, write, discard } = editor;
  const [isAsked, setAsked] = useState(false);
  const [deleteReward, { error, isLoading }] = useDeleteRewardMutation();
  const remove = async () => {
    setAsked(false);
    const { error: failure } = await deleteReward({ rewardId: base.reward_id });
    if (failure) return;
    discard();
    onDeleted();
  };
  const held = Math.max(base.backers, base.stock_reserved);
  return (
    <Section title={t('editing.reward.visibility')}>
      <SwitchField
        label={t('editing.reward.hide')}
        help={t('editing.reward.hideHelp')}
        isOn={draft.isHidden}
        onChange={(isHidden) => write({ isHidden })}
      />
      {held > 0 ? (
        <p className={classes.lock}>
          <LockIcon />
          {base.backers > 0
            ? t('editing.reward.locked', { count: base.backers })
            : t('editing.reward.lockedHeld', { count: held })}
        </p>
      ) : (
        !isNew(base) && (
          <Button variant="transparent" color="danger" loading={isLoading} onClick={() => setAsked(true)}>
            {t('editing.reward.delete')}
          </Button>
        )
      )}
      <div role="alert">
        {isApiError(error) && <p className={classes.wrong}>{errorText(error, 'RewardEditor')}</p>}
      </div>
      <ConfirmDialog
        isOpen={isAsked}
        title={t('editing.reward.deleteTitle')}
        confirmLabel={t('editing.reward.delete')}
        cancelLabel={t('editing.post.keep')}
        onConfirm={() => void remove()}
        onCancel={() => setAsked(false)}
      >
        {t('editing.reward.deleteText')}
      </ConfirmDialog>
    </Section>
  );
}
