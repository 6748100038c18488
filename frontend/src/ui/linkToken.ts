import { useEffect } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { keepFocus } from './page';

/** Navigation state that keeps the token of the link that led here: it outlives a reload, unlike a variable. */
export interface LinkState {
  linkToken?: string;
}

/**
 * The token of the mailed link that led here, `#token=…`; empty without one. It is in the fragment, which browsers send
 * to no server, neither in requests nor as the referrer, and is then taken out of the address, so that nobody copies it
 * with the address or reads it on the screen.
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
