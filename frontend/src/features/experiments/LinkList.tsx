import { useTranslation } from 'react-i18next';
import type { Link } from '../../api/content';
import { safeAddress, shownAddress } from '../../domain/links';
import { LinkKindIcon } from '../../ui/LinkKindIcon';
import { TextLink } from '../../ui/TextLink';
import classes from './ExperimentPage.module.css';

/** An experiment's links, each with the icon of where it leads. */
export function LinkList({ links }: { links: readonly Link[] }) {
  const { t } = useTranslation();
  if (links.length === 0) return null;
  return (
    <section aria-labelledby="links">
      <h2 id="links" className={classes.small}>
        {t('experiments.links')}
      </h2>
      <ul className={classes.links}>
        {links.map(({ url, title }, place) => {
          return (
            <li key={place} className={classes.fact}>
              <LinkKindIcon address={url} />
              <TextLink href={safeAddress(url)}>{title || shownAddress(url)}</TextLink>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
