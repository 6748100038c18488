import { useTranslation } from 'react-i18next';
import { AskLinks } from '../../ui/own/AskLinks';
import { useTexts } from '../../ui/useTexts';
import classes from './GuestLinks.module.css';

const parts = ['own', 'forms', 'errors'] as const;

/** Mails the links to what an address supports without an account. */
export default function GuestLinks() {
  const { t } = useTranslation();
  if (!useTexts(parts)) return null;
  return (
    <section className={classes.root} aria-label={t('orderLinks.withoutAccount')}>
      <h2 className={classes.title}>{t('orderLinks.withoutAccount')}</h2>
      <p className={classes.lead}>{t('menu.guestLead')}</p>
      <AskLinks isAside />
    </section>
  );
}
