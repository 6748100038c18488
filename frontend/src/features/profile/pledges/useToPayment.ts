import { useLocation, useNavigate } from 'react-router-dom';
import type { OwnPledge, Raise } from '../../../api/own';
import { paths } from '../../../domain/paths';
import { raiseToken } from '../../../domain/raiseToken';
import { useLanguage } from '../../../i18n';
import type { LinkState } from '../../../ui/linkToken';

/** Leads to where a change to a higher sum is paid. */
export function useToPayment({ campaign_id: id, slug }: OwnPledge['campaign']) {
  const language = useLanguage();
  const navigate = useNavigate();
  const opened = (useLocation().state as LinkState | null)?.linkToken;
  return ({ raise_id: raiseId, order_token: orderToken }: Raise) =>
    void navigate(`${paths.pledgePayment(language, { id, slug })}#token=${raiseToken(raiseId, orderToken)}`, {
      state: { openedToken: opened } satisfies LinkState,
    });
}
