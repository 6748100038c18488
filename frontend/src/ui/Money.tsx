import { formatMoney } from '../i18n/format';
import { useLanguage } from '../i18n';
import classes from './Money.module.css';

export interface MoneyProps {
  /** In the major unit. */
  amount: number;
  currency?: string;
  /** Where what is charged is told. */
  hasCents?: boolean;
}

/** The sum of a panel, in the format of the page's language: its largest text, by default without cents. */
export function Money({ amount, currency, hasCents = false }: MoneyProps) {
  const language = useLanguage();
  return <span className={classes.root}>{formatMoney(language, amount, { cents: hasCents, currency })}</span>;
}
