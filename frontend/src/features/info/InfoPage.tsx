import { useLoaderData } from 'react-router-dom';
import type { Language } from '../../domain/languages';
import { infoPages } from '../../domain/paths';
import { notFound, type PageLoaderArgs } from '../../ui/page';
import { usePageTitle } from '../../ui/usePageTitle';
import type finnish from './fi.json';
import classes from './InfoPage.module.css';

type Texts = typeof finnish;

const texts: Readonly<Record<Language, () => Promise<{ default: Texts }>>> = {
  fi: () => import('./fi.json'),
  en: () => import('./en.json'),
  sv: () => import('./sv.json'),
};

export async function load({ params, language }: PageLoaderArgs) {
  const name = infoPages.find((page) => page === params.page);
  if (!name) throw notFound();
  return (await texts[language]()).default[name];
}

/** A page of plain text: prices, money, privacy, accessibility. */
export function Component() {
  const { title, sections } = useLoaderData<Awaited<ReturnType<typeof load>>>();
  usePageTitle(title);
  return (
    <article className={`tk-container tk-section ${classes.root}`}>
      <h1 className="tk-form-title">{title}</h1>
      {sections.map(({ heading, text }) => (
        <section key={heading}>
          <h2 className={classes.heading}>{heading}</h2>
          <p className={classes.text}>{text}</p>
        </section>
      ))}
    </article>
  );
}
