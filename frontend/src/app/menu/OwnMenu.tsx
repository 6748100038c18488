import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { selectUser, type LocalUser } from '../../api/session';
import { Menu } from '../../ui/menu/Menu';
import { useTexts } from '../../ui/useTexts';
import { Face } from './Face';
import { menuTexts } from './menuTexts';
import classes from './OwnMenu.module.css';
import { useMenuRows } from './useMenuRows';
import { useSignOutRow } from './useSignOutRow';

export interface OwnMenuProps {
  isOpen: boolean;
  /** The focus goes back to the button, unless it is on its way elsewhere. */
  onClose: (keepsFocus?: boolean) => void;
}

/** What the reader has on the site, below their face on wide screens: money, campaigns, themselves; for staff their desk. */
export default function OwnMenu({ isOpen, onClose }: OwnMenuProps) {
  const user = useSelector(selectUser);
  const hasTexts = useTexts(menuTexts);
  return user && isOpen && hasTexts ? <Panel user={user} onClose={onClose} /> : null;
}

function Panel({ user, onClose }: { user: LocalUser } & Pick<OwnMenuProps, 'onClose'>) {
  const { t } = useTranslation();
  const groups = useMenuRows(user);
  const signOut = useSignOutRow();
  const root = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const onPress = ({ target }: Event) => {
      // A press on the button closes it by itself.
      if (!root.current?.parentElement?.contains(target as Node)) onClose(true);
    };
    document.addEventListener('pointerdown', onPress);
    return () => document.removeEventListener('pointerdown', onPress);
  });
  return (
    <div ref={root} className={classes.root}>
      <div className={classes.person}>
        <Face user={user} size="large" />
        <div className={classes.words}>
          <p className={classes.name}>
            {user.first_name} {user.last_name}
          </p>
          <p className={classes.email}>{user.email}</p>
        </div>
      </div>
      <Menu label={t('nav.menu')} groups={[...groups, [signOut]]} onClose={onClose} />
    </div>
  );
}
