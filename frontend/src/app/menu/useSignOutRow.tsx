import { useTranslation } from 'react-i18next';
import { signOut } from '../../api/signOut';
import { useAppDispatch } from '../../api/useAppDispatch';
import type { Row } from '../../ui/menu/MenuRow';
import { hasUnsavedWork } from '../../ui/unsavedWork';
import { useOpenDialog } from '../../ui/useNamedDialog';
import { SignOutIcon } from './menuIcons';

/** The row that signs out, or asks first when something is not saved. */
export function useSignOutRow(): Row {
  const { t } = useTranslation();
  const dispatch = useAppDispatch();
  const openDialog = useOpenDialog();
  return {
    label: t('nav.signOut'),
    icon: <SignOutIcon />,
    onPress: () => {
      if (hasUnsavedWork()) openDialog('sign-out');
      else void dispatch(signOut());
    },
  };
}
