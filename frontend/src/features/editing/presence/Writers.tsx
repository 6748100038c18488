import { useTranslation } from 'react-i18next';
import type { Writer } from '../../../api/editing';
import { useLanguage } from '../../../i18n';
import { Picture } from '../../../ui/Picture';
import classes from './Writers.module.css';

export interface WritersProps {
  writers: readonly Writer[];
}

/** Says in the bar who else has the editor open. A live region: screen readers announce who comes. */
export function Writers({ writers }: WritersProps) {
  const { t } = useTranslation();
  const who = useNames(writers);
  return (
    <span role="status" className={classes.root}>
      {writers.length > 0 && (
        <>
          <Faces writers={writers} />
          {t('editing.writers', { count: writers.length, who })}
        </>
      )}
    </span>
  );
}

/** The tab of a part in which somebody else writes. It may be written in all the same: what both write is merged or asked about. */
export function WritersTab({ writers }: WritersProps) {
  const { t } = useTranslation();
  const who = useNames(writers);
  return (
    <span className={classes.tab}>
      <Faces writers={writers} />
      {t('editing.writersHere', { count: writers.length, who })}
    </span>
  );
}

function useNames(writers: readonly Writer[]): string {
  const language = useLanguage();
  return new Intl.ListFormat(language).format(writers.map(({ name }) => name));
}

function Faces({ writers }: WritersProps) {
  return writers.map(({ user_id, image }) => (
    <Picture
      key={user_id}
      name={image}
      alt=""
      ratio={1}
      widths={[48]}
      sizes="20px"
      shape="round"
      className={classes.face}
    />
  ));
}
