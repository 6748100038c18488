import { formatMoney } from '../i18n/format';
import { useLanguage } from '../i18n';
import classes from './Money.module.css';

export interface MoneyProps {
  /** In the major unit. */
  amount: number;
  /** Show cents: always at checkout, never on campaign pages. */
  cents?: boolean;
  currency?: string;
  /** 'raised': in the colour for money · 'big': the same colour, as the largest text of a panel. */
  look?: 'plain' | 'raised' | 'big';
}

/** An amount in the format of the page's language, without line breaks. */
export function Money({ amount, cents = false, currency, look = 'plain' }: MoneyProps) {
  const language = useLanguage();
  return (
    <span className={`${classes.root} ${classes[look]}`}>
      {formatMoney(language, amount, { cents, currency })}
    </span>
  );
}
