import { Button } from '../../ui/Button';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './MoreButton.module.css';

export interface MoreButtonProps {
  shown: number;
  total: number;
  /** Whether there are `total` or more. */
  isMore?: boolean;
  isLoading: boolean;
  onMore: () => unknown;
}

/** Says how much of a list is shown and brings more. When all is there, focus stays here and not at the page's top. */
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
