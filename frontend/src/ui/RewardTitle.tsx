import { foreignLang } from '../domain/languages';
import { useLanguage } from '../i18n';

export interface RewardTitleProps {
  /** As it was bought. */
  title: string;
  /** The language of the title; undefined where that is not known. */
  language: string | undefined;
  /** Words of the page with the title in them; only the title is marked. */
  within?: string;
}

/** The title of a reward that was bought, with a mark for screen readers where its language is not the page's. */
export function RewardTitle({ title, language, within = title }: RewardTitleProps) {
  const lang = foreignLang(language, useLanguage());
  const at = lang ? within.indexOf(title) : -1;
  if (at < 0) return within;
  return (
    <>
      {within.slice(0, at)}
      <span lang={lang}>{title}</span>
      {within.slice(at + title.length)}
    </>
  );
}
