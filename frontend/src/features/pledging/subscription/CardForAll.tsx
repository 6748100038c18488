import { useTranslation } from 'react-i18next';
import { CheckField } from '../../../ui/CheckField';
import classes from './SubscriptionPage.module.css';

export interface CardForAllProps {
  isChecked: boolean;
  onChange: (isChecked: boolean) => void;
}

/** Whether another card also pays the other support that has the old one, and what that charges now. */
export function CardForAll({ isChecked, onChange }: CardForAllProps) {
  const { t } = useTranslation();
  return (
    <div>
      <CheckField label={t('subscription.card.all')} isChecked={isChecked} onChange={onChange} />
      {isChecked && <p className={classes.help}>{t('subscription.card.allHelp')}</p>}
    </div>
  );
}
