import { useTranslation } from 'react-i18next';
import type { ChecklistItem } from '../../../api/editing';
import { languages, type Language } from '../../../domain/languages';
import { useLanguage } from '../../../i18n';
import { languageNames } from '../languageNames';
import { CheckIcon } from '../../../ui/icons';
import { TextButton } from '../../../ui/TextButton';
import classes from './Checklist.module.css';
import { useEditor } from './useCampaignEditor';
import { useGoToPart } from './useGoToPart';

/** The server's checklist of what a review needs. Each open item has a button that leads to its part of the page. */
export function Checklist() {
  const { t } = useTranslation();
  const pageLanguage = useLanguage();
  const { admin } = useEditor();
  const { toItem } = useGoToPart();
  const { checklist } = admin.review;
  const done = checklist.filter((item) => item.done).length;
  return (
    <section className={classes.root} aria-label={t('editing.campaign.checklist.heading')}>
      <div className={classes.head}>
        <h2>{t('editing.campaign.checklist.heading')}</h2>
        <span>
          {done} / {checklist.length}
        </span>
      </div>
      <div className={classes.track} aria-hidden="true">
        <div style={{ width: `${(100 * done) / Math.max(checklist.length, 1)}%` }} />
      </div>
      <ul className={classes.list}>
        {checklist.map((item) => (
          <li key={`${item.key}-${item.language ?? ''}`}>
            <span className={classes.box} data-done={item.done ? true : undefined}>
              {item.done && <CheckIcon size={16} />}
            </span>
            <span className={classes.words}>
              {t(`editing.campaign.checklist.${item.key}`)}
              {nameOf(item.language, pageLanguage)}
              <span className="tk-visually-hidden">
                {item.done ? t('editing.campaign.checklist.done') : t('editing.campaign.checklist.missing')}
              </span>
              {!item.done && !item.needed && (
                <span className={classes.advice}>{t('editing.campaign.checklist.advice')}</span>
              )}
              {!item.done && <Left item={item} />}
            </span>
            {!item.done && (
              <TextButton look="aside" onPress={() => toItem(item)}>
                {t(item.key === 'payment_account' ? 'editing.campaign.checklist.look' : linkOf(item.key))}
              </TextButton>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** How many characters or alt texts are still missing. */
function Left({ item: { key, have = 0, of } }: { item: ChecklistItem }) {
  const { t } = useTranslation();
  if (!of || (key !== 'story' && key !== 'alt_texts')) return null;
  return (
    <span className={classes.left}>
      {t(`editing.campaign.checklist.left.${key}`, { count: of - have, of })}
    </span>
  );
}

function nameOf(name: string | undefined, pageLanguage: Language) {
  const language = languages.find((one) => one === name);
  return (
    language && (
      <>
        {': '}
        <span lang={language === pageLanguage ? undefined : language}>{languageNames[language]}</span>
      </>
    )
  );
}

const linkOf = (key: ChecklistItem['key']) =>
  key === 'goal' || key === 'dates' || key === 'offer' || key === 'cover'
    ? 'editing.campaign.checklist.add'
    : 'editing.campaign.checklist.write';
