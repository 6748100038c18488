import { useEffect, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { keepFocus } from './page';

/** A dialog that an address opens by its fragment, such as /campaigns/#sign-in. */
export type DialogName = 'sign-in' | 'sign-up' | 'sign-out' | 'pledge';

/** Navigation state of an entry that a press on this site has made, so that the browser's back button returns to the page. */
interface DialogState {
  hasPageBehind?: boolean;
}

/** Returns the function that opens a dialog by its name. */
export function useOpenDialog() {
  const location = useLocation();
  const navigate = useNavigate();
  return (name: DialogName) => {
    const opened: DialogState = { hasPageBehind: true };
    void navigate(
      { search: location.search, hash: name },
      { preventScrollReset: true, state: { ...(location.state as object | null), ...keepFocus, ...opened } },
    );
  };
}

/** Which of some dialogs the address names, and the ways out of it. They do nothing if it names none. */
export function useNamedDialog<Name extends DialogName>(names: readonly Name[]) {
  const location = useLocation();
  const navigate = useNavigate();
  const name = names.find((one) => location.hash === `#${one}`);
  const kept = location.state as (DialogState & object) | null;
  // Taking a fragment out of the address is not done at once; until then it must not be begun again, because that would
  // stop what a page does meanwhile.
  const left = useRef<Name>(undefined);
  useEffect(() => {
    if (!name) left.current = undefined;
  }, [name]);

  const replaceBy = (next: Name | '', stays: DialogState) =>
    void navigate(
      { search: location.search, hash: next },
      { replace: true, preventScrollReset: true, state: { ...kept, ...keepFocus, ...stays } },
    );
  const leave = () => {
    if (!name || left.current) return;
    left.current = name;
    replaceBy('', { hasPageBehind: undefined });
  };
  return {
    name,
    /** The same dialog goes on under another name. */
    rename: (next: Name) => {
      if (name) replaceBy(next, {});
    },
    /** Closes without having done anything, as the browser's back button does. */
    dismiss: () => {
      if (!kept?.hasPageBehind) leave();
      if (!name || left.current) return;
      left.current = name;
      void navigate(-1);
    },
    leave,
  };
}
