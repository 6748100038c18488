import type { ParseKeys } from 'i18next';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import type { Language } from '../domain/languages';
import { paths } from '../domain/paths';
import { campaignStages } from '../domain/stages';
import { useLanguage } from '../i18n';
import { Brand } from './Brand';
import classes from './Footer.module.css';

interface Column {
  title: ParseKeys;
  links: readonly { label: ParseKeys; to: (language: Language) => string }[];
}

// Experiments are started by writing to the editors; the page explains it.

const columns: readonly Column[] = [
  {
    title: 'footer.support',
    links: [
      { label: 'footer.campaigns', to: (language) => paths.campaigns(language) },
      {
        label: 'footer.monthly',
        to: (language) => paths.campaigns(language, { stages: campaignStages.recurring }),
      },
      { label: 'footer.experiments', to: paths.experiments },
    ],
  },
  {
    title: 'footer.do',
    links: [
      { label: 'footer.start', to: paths.createCampaign },
      { label: 'footer.propose', to: paths.createExperiment },
      { label: 'footer.pricing', to: (language) => paths.info(language, 'pricing') },
    ],
  },
  {
    title: 'footer.trust',
    links: [
      { label: 'footer.money', to: (language) => paths.info(language, 'money') },
      { label: 'footer.ledger', to: paths.ledger },
      { label: 'footer.takeBack', to: paths.pledgeLink },
      { label: 'footer.terms', to: (language) => paths.info(language, 'terms') },
      { label: 'footer.privacy', to: (language) => paths.info(language, 'privacy') },
      { label: 'footer.accessibility', to: (language) => paths.info(language, 'accessibility') },
    ],
  },
];

/** The footer of every page: links by topic. */
export function Footer() {
  const { t } = useTranslation();
  const language = useLanguage();
  return (
    <footer className={classes.root}>
      <div className={`tk-container ${classes.columns}`}>
        <div>
          <Brand />
          <p className={classes.tagline}>{t('site.tagline')}</p>
        </div>
        {columns.map(({ title, links }) => (
          <nav key={title} aria-label={t(title)}>
            <p className={classes.title}>{t(title)}</p>
            <ul className={classes.links}>
              {links.map(({ label, to }) => (
                <li key={label}>
                  <Link to={to(language)} className={classes.link}>
                    {t(label)}
                  </Link>
                </li>
              ))}
            </ul>
          </nav>
        ))}
      </div>
    </footer>
  );
}
