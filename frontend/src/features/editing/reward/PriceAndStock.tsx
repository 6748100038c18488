import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLanguage } from '../../../i18n';
import { formatDate, formatMoney, formatMonth } from '../../../i18n/format';
import { ReceiptIcon } from '../../../ui/editIcons';
import { FaultText } from '../../../ui/FaultText';
import { SelectField, TextField } from '../../../ui/fields';
import { TextButton } from '../../../ui/TextButton';
import { vatWithin } from './draft';
import { Kind } from './Kind';
import { months, monthsOf } from './months';
import classes from './RewardEditor.module.css';
import type { SectionProps } from './RewardForm';
import { Section } from './Section';
import { readNow } from '../../../api/extra';
import { useAppDispatch } from '../../../api/useAppDispatch';

/** The VAT rates in Finland, in per cent. */
const rates = ['25.5', '13.5', '10', '0'];

/** Price, stock, VAT and delivery, and the earlier versions that backers have bought and keep. */
export function PriceAndStock({ editor }: SectionProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const dispatch = useAppDispatch();
  const [now] = useState(() => dispatch(readNow()));
  const { base, draft, write, faults } = editor;
  const vat = vatWithin(Number(draft.amount) || 0, Number(draft.vat) || 0);
  const [first = '', last = ''] = draft.delivery.split('/');
  const named = (value: string) => ({ value, label: formatMonth(language, value) });
  const percents = draft.vat && !rates.includes(draft.vat) ? [draft.vat, ...rates] : rates;
  const notes = [
    vat > 0 && t('editing.reward.vatWithin', { sum: formatMoney(language, vat / 100, { cents: true }) }),
    base.stock_reserved > 0 && t('editing.reward.stockLeast', { count: base.stock_reserved }),
    !base.is_monthly && t('editing.reward.stockEmpty'),
  ];
  return (
    <Section title={t('editing.reward.price')}>
      <div className={classes.four}>
        <TextField
          label={t('editing.reward.amount')}
          inputMode="numeric"
          rightSection="€"
          error={faults.amount && <FaultText fault={faults.amount} />}
          value={draft.amount}
          onChange={({ currentTarget }) => write({ amount: currentTarget.value.trim() })}
        />
        {!base.is_monthly && (
          <TextField
            label={t('editing.reward.stock')}
            inputMode="numeric"
            rightSection={t('editing.reward.pieces')}
            error={faults.stock && <FaultText fault={faults.stock} />}
            value={draft.stock}
            onChange={({ currentTarget }) => write({ stock: currentTarget.value.trim() })}
          />
        )}
        <SelectField
          label={t('editing.reward.vat')}
          value={draft.vat}
          onChange={({ currentTarget }) => write({ vat: currentTarget.value })}
          data={[
            { value: '', label: t('editing.reward.noVat') },
            ...percents.map((value) => ({
              value,
              label: t('editing.reward.percent', { value: Number(value) }),
            })),
          ]}
        />
        <div className={classes.delivery}>
          <SelectField
            label={t('editing.reward.delivery')}
            value={first}
            onChange={({ currentTarget }) => write({ delivery: monthsOf(currentTarget.value, last) })}
            data={[{ value: '', label: t('editing.reward.noDelivery') }, ...months(now, first).map(named)]}
          />
          {first && (
            <SelectField
              label={t('editing.reward.deliveryLast')}
              value={last}
              onChange={({ currentTarget }) => write({ delivery: monthsOf(first, currentTarget.value) })}
              data={[
                { value: '', label: t('editing.reward.sameMonth') },
                ...months(now, last)
                  .filter((month) => month > first)
                  .map(named),
              ]}
            />
          )}
        </div>
      </div>
      <p className={classes.help}>{notes.filter(Boolean).join(' ')}</p>
      {!base.is_monthly && <Kind editor={editor} />}
      {base.bought.length > 0 && <Bought editor={editor} />}
    </Section>
  );
}

function Bought({ editor: { base } }: Pick<SectionProps, 'editor'>) {
  const { t } = useTranslation();
  const language = useLanguage();
  const [isOpen, setOpen] = useState(false);
  const price = (amount: number) => formatMoney(language, amount, { cents: false });
  return (
    <div className={classes.bought}>
      <ReceiptIcon />
      <div>
        <p className={classes.boughtTitle}>{t('editing.reward.keep', { count: base.backers })}</p>
        <p className={classes.boughtText}>{t('editing.reward.keepText')}</p>
        {isOpen && (
          <ul className={classes.versions}>
            {base.bought.map((version) => (
              <li key={version.first_at}>
                <b lang={version.language}>{version.title}</b>{' '}
                {[
                  price(version.amount),
                  version.vat_percentage !== undefined &&
                    t('campaignPage.vat', { percent: version.vat_percentage }),
                  version.delivery && formatMonth(language, version.delivery),
                  t('campaignPage.backersCount', { count: version.backers }),
                  `${formatDate(language, version.first_at)} – ${formatDate(language, version.last_at)}`,
                ]
                  .filter(Boolean)
                  .join(' · ')}
                <br />
                <span lang={version.language}>{version.description}</span>
              </li>
            ))}
          </ul>
        )}
      </div>
      <TextButton look="aside" onPress={() => setOpen((was) => !was)}>
        {t(isOpen ? 'editing.reward.hideBought' : 'editing.reward.showBought')}
      </TextButton>
    </div>
  );
}
