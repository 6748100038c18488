import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { useLanguage } from '../../i18n';
import { formatMoney } from '../../i18n/format';
import { Button } from '../Button';
import { CircleCheckIcon, ClockIcon } from '../icons';
import { OwnBox } from '../own/OwnBox';
import type { Unseen } from './useUnderWay';

export interface UnderWayBoxProps {
  payment: Unseen;
  currency: string;
  /** The checkout, which says more, and leads on once it is known. */
  path: string;
}

/** In place of what would pay once more: that a payment is being asked about, or went through, and the way to it. */
export function UnderWayBox({ payment, currency, path }: UnderWayBoxProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { isPaid } = payment;
  const sum = formatMoney(language, payment.amount, { cents: true, currency });
  return (
    <div role="status">
      <OwnBox
        icon={isPaid ? <CircleCheckIcon /> : <ClockIcon />}
        look={isPaid ? 'done' : 'sunken'}
        title={t(isPaid ? 'underWay.paidTitle' : 'underWay.title', { sum })}
        actions={
          <Button component={Link} to={path} size="sm">
            {t(isPaid ? 'underWay.paidAct' : 'underWay.act')}
          </Button>
        }
      >
        {t(isPaid ? 'underWay.paidText' : 'underWay.text')}
      </OwnBox>
    </div>
  );
}
