import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { selectUser } from '../../api/session';
import { Button } from '../../ui/Button';
import { lazyComponent } from '../../ui/lazyComponent';
import { useOpenDialog } from '../../ui/useNamedDialog';
import classes from './AccountButton.module.css';

const Reader = lazyComponent(() => import(/* webpackChunkName: "own-menu" */ './Reader'), { skeleton: '…' });
const OwnMenu = lazyComponent(() => import(/* webpackChunkName: "own-menu" */ './OwnMenu'));

interface AccountButtonProps {
  isSheetOpen: boolean;
  /** Opens the sheet, which holds the menu on narrow screens. */
  onSheet: () => void;
}

/** The sign-in button; with a session the reader's face, which opens their menu. */
export function AccountButton({ isSheetOpen, onSheet }: AccountButtonProps) {
  const { t } = useTranslation();
  const user = useSelector(selectUser);
  const openDialog = useOpenDialog();
  const root = useRef<HTMLSpanElement>(null);
  const [menu, setMenu] = useState<'never' | 'open' | 'closed'>('never');
  const isOpen = user !== null && menu === 'open';
  if (!user && menu === 'open') setMenu('closed');

  const press = () => {
    if (!user) openDialog('sign-in');
    else if (window.matchMedia('(max-width: 73.74em)').matches) onSheet();
    else setMenu(isOpen ? 'closed' : 'open');
  };

  // One element for both buttons, so that it keeps the focus when somebody signs in or out.
  return (
    <span ref={root} className={user ? classes.root : classes.signedOut}>
      <Button
        variant={user ? 'transparent' : 'outline'}
        size="sm"
        className={user ? classes.pill : undefined}
        aria-haspopup={user ? 'menu' : undefined}
        aria-expanded={user ? isOpen || isSheetOpen : undefined}
        onClick={press}
      >
        {user ? <Reader user={user} /> : t('nav.signIn')}
      </Button>
      {user && menu !== 'never' && (
        <OwnMenu
          isOpen={isOpen}
          onClose={(keepsFocus) => {
            setMenu('closed');
            if (!keepsFocus) root.current?.querySelector('button')?.focus();
          }}
        />
      )}
    </span>
  );
}
