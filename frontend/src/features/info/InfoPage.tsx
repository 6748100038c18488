import { useLoaderData } from 'react-router-dom';
import type { Language } from '../../domain/languages';
import { infoPages, type InfoPage } from '../../domain/paths';
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
}

type Texts = Readonly<Record<InfoPage, { title: string; sections: readonly Section[] }>>;

const texts: Readonly<Record<Language, () => Promise<{ default: Texts }>>> = {
  fi: () => import('./fi.json'),
  en: () => import('./en.json'),
  sv: () => import('./sv.json'),
};

/** Loads the page's texts, which are not in the catalogues of src/i18n. */
export async function load({ params, language }: PageLoaderArgs) {
  const name = infoPages.find((page) => page === params.page);
  if (!name) throw notFound();
  return (await loadWithRetry(texts[language], 'page')).default[name];
}

/** A static page, such as pricing or privacy. */
export function Component() {
  const { title, sections } = useLoaderData<Awaited<ReturnType<typeof load>>>();
  usePageTitle(title);
  return (
    <article className="tk-container tk-section">
      <h1 className={`tk-form-title ${classes.title}`}>{title}</h1>
      {sections.map(({ heading, text, list, mail }) => (
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
