import { useTranslation } from 'react-i18next';
import type { LocalUser } from '../../api/session';
import { ChevronDownIcon } from '../../ui/icons';
import { Face } from './Face';
import classes from './Reader.module.css';

/** Who is signed in, as the header's button shows it: their face, on wide screens their name, too. */
export default function Reader({ user }: { user: LocalUser }) {
  const { t } = useTranslation();
  return (
    <span className={classes.root}>
      <Face user={user} />
      {/* Read as one: between two parts a screen reader would put a space before the comma. */}
      <span className="tk-visually-hidden">{`${user.first_name}, ${t('nav.menu')}`}</span>
      <span className={classes.name} aria-hidden="true">
        {user.first_name}
      </span>
      <span className={classes.chevron}>
        <ChevronDownIcon size={16} />
      </span>
    </span>
  );
}
