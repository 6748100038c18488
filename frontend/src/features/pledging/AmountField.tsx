import { useLanguage } from '../../i18n';
import { TextField, type TextFieldProps } from '../../ui/fields';
import classes from './RewardSection.module.css';

/** A field for a sum of euros, with the sign on the side where the reader's language writes it. */
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
