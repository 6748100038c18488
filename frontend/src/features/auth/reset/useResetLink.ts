import { useEffect } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { keepFocus } from '../../../ui/page';

/** What a mailed link brings: its token, and the address that it was sent to. */
export interface ResetLink {
  token: string;
  email: string;
}

const none: ResetLink = { token: '', email: '' };

/**
 * The mailed link that led here, `#token=…&email=…`, or `?token=…#email=…` in older mails; an empty token without one. It
 * is taken out of the address, so that nobody copies it with the address or reads it on the screen, and kept in the
 * navigation's state, which outlives a reload.
 */
export function useResetLink(): { link: ResetLink; forget: () => void } {
  const location = useLocation();
  const navigate = useNavigate();
  const { search, hash } = location;
  const fragment = new URLSearchParams(hash.slice(1));
  const token = fragment.get('token') ?? new URLSearchParams(search).get('token') ?? '';
  const email = fragment.get('email') ?? '';
  const kept = (location.state as { resetLink?: ResetLink } | null)?.resetLink ?? none;

  useEffect(() => {
    if (!token) return;
    const state = { ...keepFocus, resetLink: { token, email } };
    void navigate({ search: '' }, { replace: true, preventScrollReset: true, state });
  }, [token, email, navigate]);

  return {
    link: token ? { token, email } : kept,
    forget: () => void navigate({ search: '' }, { replace: true, state: keepFocus }),
  };
}
