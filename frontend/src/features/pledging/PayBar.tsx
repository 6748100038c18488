import { ActionBar } from '../../ui/ActionBar';
import { Button } from '../../ui/Button';
import { useEffect, useState, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import type { Fault } from '../../domain/rules';
import { FaultText } from '../../ui/FaultText';
import { UnpluggedIcon } from '../../ui/icons';
import type { AskingAgain } from '../../ui/useAskingAgain';
import { isBusy, type FlowState } from './flow/machine';
import classes from './PayBar.module.css';
import type { PayWords } from './payWords';
import { long, useWaited } from './useWaited';

export interface PayBarProps {
  /** Formatted; undefined until there is one. */
  sum: string | undefined;
  /** Why there is no sum although a reward is chosen. */
  fault: Fault | undefined;
  state: FlowState;
  /** Everything that paying needs is loaded. */
  isReady: boolean;
  words: PayWords;
  /** Leads to the payment methods, of which none is chosen. */
  onChooseMethod: () => void;
  /** While it is not known whether something was charged, it is asked here, too. */
  asking?: AskingAgain;
  /** The page's own pay button. The bar is shown while it is off the screen. */
  button: RefObject<HTMLButtonElement | null>;
}

/** On phones: the sum and a pay button at the bottom of the screen. */
export function PayBar(props: PayBarProps) {
  const { sum, fault, state, isReady, words, onChooseMethod, asking, button } = props;
  const { t } = useTranslation();
  const isShown = useIsOffScreen(button);
  // Then the summary, which the bar stands in for, says that nothing is known yet.
  const isLong = useWaited(state.name) >= long && state.name === 'confirming';
  if (!isShown) return null;
  if (asking)
    return (
      <ActionBar>
        <div>
          {sum !== undefined && <p className={classes.sum}>{sum}</p>}
          <p className={classes.now}>
            {t(asking.isOnline ? 'pledge.unknown.barAsking' : 'pledge.unknown.bar')}
          </p>
        </div>
        {asking.isOnline ? (
          <Button variant="light" size="lg" loading={asking.isAsking} onClick={asking.askNow}>
            {t('pledge.unknown.askNow')}
          </Button>
        ) : (
          <p className={classes.offline}>
            <UnpluggedIcon size={16} />
            {t('pledge.unknown.noConnection')}
          </p>
        )}
      </ActionBar>
    );
  return (
    <ActionBar>
      <div>
        {sum !== undefined && <p className={classes.sum}>{sum}</p>}
        <p className={classes.now}>
          {fault ? (
            <FaultText fault={fault} />
          ) : sum === undefined ? (
            t('pledge.nothingChosen')
          ) : isLong ? (
            t('pledge.unknown.barAsking')
          ) : (
            words.bar
          )}
        </p>
      </div>
      <Button
        type={words.isUnchosen ? 'button' : 'submit'}
        onClick={words.isUnchosen ? onChooseMethod : undefined}
        size="lg"
        loading={isBusy(state)}
        disabled={!isReady}
      >
        {words.buttonShort}
      </Button>
    </ActionBar>
  );
}

function useIsOffScreen(element: RefObject<HTMLElement | null>): boolean {
  const [isOut, setOut] = useState(false);
  useEffect(() => {
    if (!element.current || !('IntersectionObserver' in window)) return undefined;
    const observer = new IntersectionObserver((entries) => setOut(entries.at(-1)?.isIntersecting === false));
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element]);
  return isOut;
}
