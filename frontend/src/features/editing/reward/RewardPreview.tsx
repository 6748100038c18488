import { useTranslation } from 'react-i18next';
import type { RewardAdmin } from '../../../api/editing';
import type { Language } from '../../../domain/languages';
import { useLanguage } from '../../../i18n';
import { formatCount, formatMoney, formatMonth } from '../../../i18n/format';
import { Chip } from '../../../ui/Chip';
import { Picture } from '../../../ui/Picture';
import type { RewardDraft } from './draft';
import classes from './RewardPreview.module.css';

export interface RewardPreviewProps {
  draft: RewardDraft;
  reward: RewardAdmin;
  /** The language of its texts. */
  language: Language;
}

/** The reward's card as it will look on the page, from the unsaved form. */
export function RewardPreview({ draft, reward, language }: RewardPreviewProps) {
  const { t } = useTranslation();
  const pageLanguage = useLanguage();
  const stock = Number(draft.stock) || 0;
  const left = Math.max(0, stock - reward.stock_reserved);
  const facts = [
    stock > 0 &&
      t('campaignPage.reserved', {
        reserved: formatCount(pageLanguage, reward.stock_reserved),
        stock: formatCount(pageLanguage, stock),
      }),
    draft.delivery && t('campaignPage.delivery', { month: formatMonth(pageLanguage, draft.delivery) }),
    Number(draft.vat) > 0 && t('campaignPage.vat', { percent: Number(draft.vat) }),
  ].filter(Boolean);
  return (
    <div className={classes.root} data-hidden={draft.isHidden ? true : undefined}>
      {draft.image && (
        <Picture name={draft.image} alt="" ratio={2.5} widths={[400]} sizes="18rem" shape="none" />
      )}
      <div className={classes.inside}>
        <div className={classes.top}>
          <b className={classes.amount}>
            {formatMoney(pageLanguage, Number(draft.amount) || 0, { cents: false })}
          </b>
          {stock > 0 ? (
            <Chip tone="cloud">{t('reward.left', { count: left })}</Chip>
          ) : (
            <Chip tone="spruce">{t('reward.unlimited')}</Chip>
          )}
        </div>
        <p className={classes.title} lang={language}>
          {draft.title[language] || t('editing.reward.unnamed')}
        </p>
        <p className={classes.text} lang={language}>
          {draft.description[language]}
        </p>
        <p className={classes.facts}>{facts.join(' · ')}</p>
      </div>
    </div>
  );
}
