import { useTranslation } from 'react-i18next';
import { HistoryIcon, UndoIcon } from '../../../ui/editIcons';
import { IconButton } from '../../../ui/IconButton';

export interface UndoAndHistoryProps {
  canUndo: boolean;
  onUndo: () => void;
  onHistory: () => void;
}

/** The two ways back, in the bar of edit mode. */
export function UndoAndHistory({ canUndo, onUndo, onHistory }: UndoAndHistoryProps) {
  const { t } = useTranslation();
  return (
    <span>
      <IconButton
        look="tool"
        label={t('editing.campaign.undo')}
        icon={<UndoIcon />}
        aria-disabled={canUndo ? undefined : true}
        onClick={canUndo ? onUndo : undefined}
      />
      <IconButton
        look="tool"
        label={t('editing.campaign.history.title')}
        icon={<HistoryIcon />}
        onClick={onHistory}
      />
    </span>
  );
}
