import { useLanguage } from '../i18n';
import { TextField, type TextFieldProps } from './fields';
import classes from './LevelChoice.module.css';

/** A field for an amount in euros, with the euro sign on the side where the page's language has it. */
export function AmountField(props: TextFieldProps) {
  const sign = useLanguage() === 'en' ? { leftSection: '€' } : { rightSection: '€' };
  return (
    <TextField
      inputMode="decimal"
      autoComplete="off"
      inputContainer={(input) => <div className={classes.amount}>{input}</div>}
      {...sign}
      {...props}
    />
  );
}
