import { useTranslation } from 'react-i18next';
import type { OwnPledge } from '../../../api/own';
import { useLanguage } from '../../../i18n';
import { formatDate, formatTime } from '../../../i18n/format';

/** Whether the act is a withdrawal from what was bought: its campaign has ended. */
export const isAfterCampaign = ({ withdrawal: { reason } }: OwnPledge) =>
  reason === 'not_sent' || reason === 'sent' || reason === 'contract';

/** Until when a pledge may be taken back, or why it may not, as the service says. */
export function WithdrawalTerm({ pledge: { withdrawal } }: { pledge: OwnPledge }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { state, reason, until, days: count = 0, sent_on: sentOn } = withdrawal;
  if (state === 'contested') return t('myPledges.withdrawal.contested');
  if (state === 'counting') return t('myPledges.withdrawal.counting');
  if (state === 'over')
    return t(
      `myPledges.withdrawal.over.${
        reason === 'made_to_order' || reason === 'gift' || reason === 'goes_back' ? reason : 'term'
      }`,
    );
  if (reason === 'not_sent') return t('myPledges.withdrawal.notSent', { count });
  if (!until) return t('myPledges.withdrawal.open');
  const when = { day: formatDate(language, until), time: formatTime(language, until) };
  if (reason === 'sent' && sentOn)
    return t('myPledges.withdrawal.sent', { ...when, sent: formatDate(language, sentOn) });
  return t('myPledges.withdrawal.until', when);
}
