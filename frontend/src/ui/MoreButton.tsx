import { Button } from './Button';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './MoreButton.module.css';

export interface MoreButtonProps {
  shown: number;
  total: number;
  /** The service stopped counting at `total`: there may be more. */
  isMore?: boolean;
  isLoading: boolean;
  onMore: () => unknown;
}

/**
 * How much of a list is shown, with a button to load more. When the button disappears, the text gets the focus, which
 * would otherwise be lost.
 */
export function MoreButton({ shown, total, isMore = false, isLoading, onMore }: MoreButtonProps) {
  const { t } = useTranslation();
  const status = useRef<HTMLParagraphElement>(null);
  const wasAsked = useRef(false);
  const isAll = shown >= total;

  useEffect(() => {
    if (isAll && wasAsked.current) status.current?.focus({ preventScroll: true });
  }, [isAll]);

  return (
    <div className={classes.root}>
      {!isAll && (
        <Button
          variant="outline"
          loading={isLoading}
          onClick={() => {
            wasAsked.current = true;
            onMore();
          }}
        >
          {t('campaign.more')}
        </Button>
      )}
      <p ref={status} tabIndex={-1} role="status" className={classes.status}>
        {isMore
          ? t('campaign.shownOfOver', { shown, total: total - 1 })
          : t('campaign.shownOf', { shown, total })}
      </p>
    </div>
  );
}
