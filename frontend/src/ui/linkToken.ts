import { useEffect } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { keepFocus } from './page';

/** Navigation state that keeps the token of the mailed link. Unlike component state, it survives a reload. */
export interface LinkState {
  linkToken?: string;
  /** The token of the pledge's own page, of who comes from there to pay a change of it. */
  openedToken?: string;
}

/**
 * The token of the mailed link that led here, `#token=…`; empty without one. It is in the fragment, which browsers send
 * to no server, neither in requests nor as the referrer. It is removed from the address at once, so that it is not
 * copied with the address or read on the screen.
 */
export function useLinkToken(): string {
  const location = useLocation();
  const { hash, search } = location;
  const navigate = useNavigate();
  const given = new URLSearchParams(hash.slice(1)).get('token') ?? '';
  useEffect(() => {
    if (!given) return;
    const kept: LinkState = { linkToken: given };
    void navigate({ search }, { replace: true, preventScrollReset: true, state: { ...keepFocus, ...kept } });
  }, [given, search, navigate]);
  return given || ((location.state as LinkState | null)?.linkToken ?? '');
}
