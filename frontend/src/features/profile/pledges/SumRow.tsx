import { Trans, useTranslation } from 'react-i18next';
import type { OwnPledge } from '../../../api/own';
import { useLanguage } from '../../../i18n';
import { formatMoney } from '../../../i18n/format';
import { Segments } from '../../../ui/Segments';
import type { PledgeActs } from './acts';
import { Row } from './Row';
import { ShownStatus, useShown } from './useShown';

/** Whether others see the sum. A choice is saved at once. */
export function SumRow({ pledge, acts }: { pledge: OwnPledge; acts: PledgeActs }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const shown = useShown(acts);
  const { amount, amount_refunded: returned = 0, currency } = pledge;
  const isHidden = shown.saving?.hide_amount ?? pledge.hide_amount;
  const seen = formatMoney(language, amount - returned, { cents: true, currency });

  return (
    <Row
      label={t('myPledges.sum.label')}
      value={
        isHidden ? (
          t('myPledges.sum.shownNot')
        ) : (
          <Trans t={t} i18nKey="myPledges.sum.shown" values={{ amount: seen }} components={{ b: <b /> }} />
        )
      }
      action={
        <Segments<'yes' | 'no'>
          label={t('myPledges.sum.choose')}
          value={isHidden ? 'no' : 'yes'}
          onChange={(choice) => void shown.save({ hide_amount: choice === 'no' })}
          segments={[
            { value: 'yes', label: t('myPledges.sum.yes') },
            { value: 'no', label: t('myPledges.sum.no') },
          ]}
          isSmall
        />
      }
    >
      <ShownStatus shown={shown} />
    </Row>
  );
}
