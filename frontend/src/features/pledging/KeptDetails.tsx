import { useTranslation } from 'react-i18next';
import type { Reward } from '../../api/content';
import { useLanguage } from '../../i18n';
import { addressText } from '../../i18n/addressText';
import { LockIcon } from '../../ui/icons';
import { addedCostIndex, needsAddress } from './form/sums';
import { type PledgeValues } from './form/values';
import classes from './KeptDetails.module.css';
import { Section } from './Section';

export interface KeptDetailsProps {
  values: PledgeValues;
  reward: Reward | undefined;
  isMonthly: boolean;
}

/** What was typed, to be read only, while it is not known what came of it. */
export function KeptDetails({ values, reward, isMonthly }: KeptDetailsProps) {
  const { t } = useTranslation();
  const { first_name: first, last_name: last, email, quantity, method } = values;
  const language = useLanguage();
  const address = reward && needsAddress(values, reward) ? addressText(values, language) : '';
  const contact = [`${first} ${last}`.trim(), email, address].filter(Boolean);
  const addedCost = reward?.added_costs[addedCostIndex(values, reward)]?.description;
  return (
    <div className={classes.root}>
      <p className={classes.locked}>
        <LockIcon size={16} />
        {t('pledge.unknown.locked')}
      </p>
      {reward && (
        <Section title={t(isMonthly ? 'pledge.monthly.level' : 'pledge.reward')}>
          <div>
            <p className={classes.first}>
              {Number(quantity) > 1 ? `${quantity} × ${reward.title}` : reward.title}
            </p>
            {addedCost && <p className={classes.more}>{addedCost}</p>}
          </div>
        </Section>
      )}
      {contact.length > 0 && (
        <Section title={t('pledge.contact')}>
          <div>
            {contact.map((line, place) => (
              <p key={line} className={place === 0 ? classes.first : classes.more}>
                {line}
              </p>
            ))}
          </div>
        </Section>
      )}
      <Section title={t('pledge.payment')}>
        <p className={classes.first}>
          {t(isMonthly || method === '' ? 'pledge.method.card' : `pledge.method.${method}`)}
        </p>
      </Section>
      <div className={classes.later}>
        <p className={classes.first}>{t('pledge.unknown.later')}</p>
        <p className={classes.more}>{t('pledge.unknown.laterText')}</p>
      </div>
    </div>
  );
}
