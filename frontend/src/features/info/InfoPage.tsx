import { Link, useLoaderData } from 'react-router-dom';
import type { Language } from '../../domain/languages';
import { infoPages, paths, type InfoPage } from '../../domain/paths';
import { useLanguage } from '../../i18n';
import { Button } from '../../ui/Button';
import { notFound, type PageLoaderArgs } from '../../ui/page';
import { loadWithRetry } from '../../ui/loadWithRetry';
import { usePageTitle } from '../../ui/usePageTitle';
import { TextLink } from '../../ui/TextLink';
import classes from './InfoPage.module.css';

interface Section {
  heading: string;
  text?: string;
  list?: readonly string[];
  /** An email address. */
  mail?: string;
  /** Where something of one's own begins. */
  link?: { to: keyof typeof forms; label: string };
}

const forms = { campaign: paths.createCampaign, experiment: paths.createExperiment };

type Texts = Readonly<Record<InfoPage, { title: string; sections: readonly Section[] }>>;

const texts: Readonly<Record<Language, () => Promise<{ default: unknown }>>> = {
  fi: () => import('./fi.json'),
  en: () => import('./en.json'),
  sv: () => import('./sv.json'),
};

/** Loads the page's texts, which are not in the catalogues of src/i18n. */
export async function load({ params, language }: PageLoaderArgs) {
  const name = infoPages.find((page) => page === params.page);
  if (!name) throw notFound();
  const { default: all } = await loadWithRetry(texts[language], 'page');
  return (all as Texts)[name];
}

/** A static page, such as pricing or privacy. */
export function Component() {
  const { title, sections } = useLoaderData<Awaited<ReturnType<typeof load>>>();
  const language = useLanguage();
  usePageTitle(title);
  return (
    <article className="tk-container tk-section">
      <h1 className={`tk-form-title ${classes.title}`}>{title}</h1>
      {sections.map(({ heading, text, list, mail, link }) => (
        <section key={heading} className={classes.section}>
          <h2 className={classes.heading}>{heading}</h2>
          <div className={classes.words}>
            {text && <p>{text}</p>}
            {list && (
              <ul className={classes.list}>
                {list.map((item) => (
                  <li key={item}>{item}</li>
                ))}
              </ul>
            )}
            {link && (
              <p className={classes.act}>
                <Button component={Link} to={forms[link.to](language)}>
                  {link.label}
                </Button>
              </p>
            )}
            {mail && (
              <p>
                <TextLink href={`mailto:${mail}`}>{mail}</TextLink>
              </p>
            )}
          </div>
        </section>
      ))}
    </article>
  );
}
