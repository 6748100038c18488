import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { HistoryAnswer, HistoryChange } from '../../../api/editing';
import { useLanguage } from '../../../i18n';
import { formatDateTime } from '../../../i18n/format';
import { Drawer } from '../../../ui/Drawer';
import { EmptyState } from '../../../ui/EmptyState';
import { Unread, type Read } from '../../../ui/Unread';
import { useOpenedAfterMount } from '../../../ui/useOpenedAfterMount';
import classes from './History.module.css';

/** How many changes are listed. */
export const shownChanges = 50;

export interface HistoryDrawerProps {
  isOpen: boolean;
  onClose: () => void;
  /** The request of the latest changes. */
  history: Read & { data?: HistoryAnswer };
  /** What a change's row says below who made it and when. */
  children: (change: HistoryChange) => ReactNode;
}

/** Who changed what and when, the latest first. */
export function HistoryDrawer({ isOpen, onClose, history, children }: HistoryDrawerProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { data } = history;
  return (
    <Drawer
      isOpen={useOpenedAfterMount(isOpen)}
      onClose={onClose}
      title={t('editing.campaign.history.title')}
      closeLabel={t('action.close')}
    >
      {data ? (
        data.changes.length === 0 ? (
          <EmptyState title={t('editing.campaign.history.empty')} />
        ) : (
          <ol className={classes.list}>
            {data.changes.map((change) => (
              <li key={change.id} className={classes.change}>
                <p className={classes.who}>
                  <b>{change.by.name || t('editing.campaign.history.itself')}</b>
                  <time dateTime={change.at}>{formatDateTime(language, change.at)}</time>
                </p>
                {children(change)}
              </li>
            ))}
          </ol>
        )
      ) : (
        <Unread of={history} where="HistoryDrawer" lines={8} />
      )}
    </Drawer>
  );
}
