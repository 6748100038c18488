import { formatMoney } from '../i18n/format';
import { useLanguage } from '../i18n';
import classes from './Money.module.css';

export interface MoneyProps {
  /** Major unit. */
  amount: number;
  /** Always at checkout, never on campaign pages. */
  cents?: boolean;
  currency?: string;
  /** 'big' is the one large amount of a panel, 'raised' is money in the colour of money. */
  look?: 'plain' | 'raised' | 'big';
}

/** An amount in the reader's format; it never breaks over two lines. */
export function Money({ amount, cents = false, currency, look = 'plain' }: MoneyProps) {
  const language = useLanguage();
  return (
    <span className={`${classes.root} ${classes[look]}`}>
      {formatMoney(language, amount, { cents, currency })}
    </span>
  );
}
