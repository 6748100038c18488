import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useOwnAddressQuery } from '../../api/pledging';
import { countries } from '../../domain/countries';
import { useLanguage } from '../../i18n';
import { addressText } from '../../i18n/addressText';
import { Button } from '../../ui/Button';
import classes from './fields.module.css';
import type { PledgeForm } from './form/values';

const names = [
  'address_street',
  'address_postcode',
  'address_city',
  'address_country',
  'address_phone',
] as const;

/** Offers a signed-in user the address of their last order. It is filled in only when they press the button. */
export function SavedAddress({ form }: { form: PledgeForm }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const address = useOwnAddressQuery(undefined, { refetchOnMountOrArgChange: true }).data?.address;
  const [isUsed, setUsed] = useState(false);
  const id = useId();
  if (!address || !countries.includes(address.address_country)) return null;
  const use = () => {
    for (const name of names) form.setValue(name, address[name]);
    setUsed(true);
  };
  return (
    <div className={classes.saved}>
      <Button variant="light" size="sm" aria-describedby={id} onClick={use}>
        {t('pledge.savedAddress.use')}
      </Button>
      <p id={id}>{addressText(address, language)}</p>
      <span role="status" className="tk-visually-hidden">
        {isUsed && t('pledge.savedAddress.used')}
      </span>
    </div>
  );
}
