import { useTranslation } from 'react-i18next';
import type { Reward } from '../../../api/content';

/** For how long a pledge for a reward can be taken back after its campaign, in a few words. */
export function useWithdrawalText() {
  const { t } = useTranslation();
  return ({ withdrawal: { days, starts } }: Pick<Reward, 'withdrawal'>) =>
    days === 0 ? t('campaignPage.withdrawal.none') : t(`campaignPage.withdrawal.${starts}`, { days });
}
