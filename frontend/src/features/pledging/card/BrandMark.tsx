import { CardIcon } from '../../../ui/icons';
import classes from './BrandMark.module.css';
import type { Brand } from './own/checkCard';

const names: Readonly<Record<Brand, string>> = {
  visa: 'VISA',
  mastercard: 'MC',
  amex: 'AMEX',
  maestro: 'MAESTRO',
};

/** The brand of a card in a small frame; a plain card when it is not known. The text beside it says it too. */
export function BrandMark({ brand }: { brand: Brand | undefined }) {
  if (!brand) return <CardIcon />;
  return (
    <span className={classes.root} data-brand={brand} aria-hidden="true">
      {brand === 'mastercard' ? (
        <svg viewBox="0 0 26 16" width="26" height="16">
          <circle cx="9" cy="8" r="7" fill="#c8102e" />
          <circle cx="17" cy="8" r="7" fill="#f2a33a" fillOpacity="0.9" />
        </svg>
      ) : (
        names[brand]
      )}
    </span>
  );
}

/** The brand that a card's label begins with: Visa ···· 4242. */
export function brandIn(label: string): Brand | undefined {
  const word = label.split(' ', 1)[0]?.toLowerCase();
  return (Object.keys(names) as Brand[]).find((one) => one === word);
}
