import { useTranslation } from 'react-i18next';
import type { Stop } from '../i18n/pledgeMoney';
import { CheckIcon, CloseIcon, icon } from './icons';
import classes from './MoneyLine.module.css';

const BackArrowIcon = icon('BackArrowIcon', <path d="m9 14-4-4 4-4M5 10h11a4 4 0 1 1 0 8h-1" />);

const marks = { passed: CheckIcon, returned: BackArrowIcon, failed: CloseIcon } as const;

/** The stops of a pledge's money, side by side; on a phone below each other. */
export function MoneyLine({ stops }: { stops: readonly Stop[] }) {
  const { t } = useTranslation();
  return (
    <ol className={classes.root} aria-label={t('myPledges.line')}>
      {stops.map(({ name, state, when, isSettling }) => {
        const Mark = state === 'now' || state === 'ahead' ? undefined : marks[state];
        return (
          <li
            key={name}
            className={classes.stop}
            data-state={state}
            data-settling={isSettling}
            aria-current={state === 'now' ? 'step' : undefined}
          >
            <span className={classes.node}>{Mark && <Mark size={16} />}</span>
            <span className={classes.name}>
              {name}
              <span className="tk-visually-hidden">, {t(`myPledges.stopState.${state}`)}</span>
            </span>
            {when && <span className={classes.when}>{when}</span>}
          </li>
        );
      })}
    </ol>
  );
}
