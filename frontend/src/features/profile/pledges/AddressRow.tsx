import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isApiError } from '../../../api/apiError';
import type { PledgeShipping } from '../../../api/own';
import { all, deliveryPostcode, maxLength, required } from '../../../domain/rules';
import { useLanguage } from '../../../i18n';
import { useErrorText } from '../../../i18n/errorText';
import { addressText } from '../../../i18n/addressText';
import { formatDate, formatTime } from '../../../i18n/format';
import { Dialog } from '../../../ui/Dialog';
import { AddressFields, type AddressValues } from '../../../ui/AddressFields';
import { Button } from '../../../ui/Button';
import { useAppForm } from '../../../ui/useAppForm';
import { useWhileHere } from '../../../ui/useWhileHere';
import type { PledgeActs } from './acts';
import classes from './MyPledgesPage.module.css';
import { Row } from './Row';

export interface AddressRowProps {
  acts: PledgeActs;
  shipping: PledgeShipping;
}

/** Where the reward is sent, with a form until the address is locked; then with the reason. */
export function AddressRow({ acts, shipping }: AddressRowProps) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const [isSaved, setSaved] = useState(false);
  const language = useLanguage();
  const canChange = shipping.state === 'open';
  return (
    <Row
      label={t('myPledges.address.label')}
      value={
        <>
          {addressText(shipping.address, language)}
          <p className={classes.help}>
            <LockText shipping={shipping} />
          </p>
        </>
      }
      action={
        canChange && (
          <Button
            variant="transparent"
            size="sm"
            onClick={() => {
              setSaved(false);
              setOpen(true);
            }}
          >
            {t('myPledges.address.change')}
          </Button>
        )
      }
    >
      <span role="status" className="tk-visually-hidden">
        {isSaved && t('myPledges.address.saved')}
      </span>
      <Dialog
        isOpen={canChange && isOpen}
        title={t('myPledges.address.change')}
        onClose={() => setOpen(false)}
      >
        <AddressForm
          acts={acts}
          address={shipping.address}
          onDone={(saved) => {
            setSaved(saved);
            setOpen(false);
          }}
        />
      </Dialog>
    </Row>
  );
}

function LockText({ shipping }: { shipping: PledgeShipping }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { state, locks_at: locksAt, locked_at: lockedAt } = shipping;
  if (state !== 'open')
    return t(`myPledges.address.${state}`, { day: lockedAt ? formatDate(language, lockedAt) : '' });
  if (!locksAt) return t('myPledges.address.untilPacked');
  // The last minute in which it can be changed.
  const last = Date.parse(locksAt) - 60_000;
  return t('myPledges.address.until', { day: formatDate(language, last), time: formatTime(language, last) });
}

interface AddressFormProps {
  acts: PledgeActs;
  address: AddressValues;
  onDone: (isSaved: boolean) => void;
}

function AddressForm({ acts, address, onDone }: AddressFormProps) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const leave = useWhileHere(() => onDone(true));
  const form = useAppForm<AddressValues>({
    initialValues: { ...address },
    rules: {
      address_street: all(required, maxLength(200)),
      address_postcode: (value, values) => deliveryPostcode(values.address_country)(value, values),
      address_city: all(required, maxLength(100)),
      address_phone: maxLength(40),
    },
    onSubmit: async (values) => {
      const error = await acts.change({ address: values });
      if (isApiError(error)) form.showFailure(error, errorText(error, 'AddressForm'), 'address_street');
      else leave();
    },
  });
  return (
    <form {...form.formProps} className={classes.form}>
      <AddressFields country={form.values.address_country} field={form.field} />
      <div className={classes.acts}>
        <Button type="submit" loading={form.isSubmitting}>
          {t('myPledges.address.save')}
        </Button>
        <Button variant="transparent" onClick={() => onDone(false)}>
          {t('myPledges.address.cancel')}
        </Button>
      </div>
    </form>
  );
}
