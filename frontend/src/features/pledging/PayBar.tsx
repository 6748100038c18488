import { ActionBar } from '../../ui/ActionBar';
import { Button } from '../../ui/Button';
import { useEffect, useState, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import type { Fault } from '../../domain/rules';
import { FaultText } from '../../ui/FaultText';
import classes from './PayBar.module.css';

export interface PayBarProps {
  /** As the reader writes it; undefined until there is one. */
  sum: string | undefined;
  /** Why there is no sum, when something is chosen. */
  fault: Fault | undefined;
  isBusy: boolean;
  /** All that paying needs has been loaded. */
  isReady: boolean;
  /** The page's own pay button; while it is in sight the bar is not needed. */
  button: RefObject<HTMLButtonElement | null>;
}

/** On a phone: the sum and the button at the foot of the screen. */
export function PayBar({ sum, fault, isBusy, isReady, button }: PayBarProps) {
  const { t } = useTranslation();
  const isShown = useIsOutOfSight(button);
  if (!isShown) return null;
  return (
    <ActionBar>
      <div>
        {sum !== undefined && <p className={classes.sum}>{sum}</p>}
        <p className={classes.now}>
          {fault ? (
            <FaultText fault={fault} />
          ) : sum === undefined ? (
            t('pledge.nothingChosen')
          ) : (
            t('pledge.chargedNowShort')
          )}
        </p>
      </div>
      <Button type="submit" size="lg" loading={isBusy} disabled={!isReady}>
        {t('pledge.payShort')}
      </Button>
    </ActionBar>
  );
}

function useIsOutOfSight(element: RefObject<HTMLElement | null>): boolean {
  const [isOut, setOut] = useState(false);
  useEffect(() => {
    if (!element.current || !('IntersectionObserver' in window)) return undefined;
    const observer = new IntersectionObserver((entries) => setOut(entries.at(-1)?.isIntersecting === false));
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element]);
  return isOut;
}
