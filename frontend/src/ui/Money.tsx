import { formatMoney } from '../i18n/format';
import { useLanguage } from '../i18n';
import classes from './Money.module.css';

export interface MoneyProps {
  /** In the major unit. */
  amount: number;
  currency?: string;
}

/** The sum of a panel, in the format of the page's language: its largest text, without cents or line breaks. */
export function Money({ amount, currency }: MoneyProps) {
  const language = useLanguage();
  return <span className={classes.root}>{formatMoney(language, amount, { cents: false, currency })}</span>;
}
