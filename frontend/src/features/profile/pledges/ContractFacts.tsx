import { useTranslation } from 'react-i18next';
import type { OwnPledge } from '../../../api/own';
import { RewardTitle } from '../../../ui/RewardTitle';

/** What the law asks a withdrawal to name: the contract, who withdraws, and where the confirmation goes. */
export function ContractFacts({ pledge }: { pledge: OwnPledge }) {
  const { t } = useTranslation();
  const { campaign, reward_title: reward, receipt_number: receipt } = pledge;
  const facts = [
    {
      label: t('myPledges.withdrawal.after.contract'),
      value: reward && <RewardTitle title={reward} language={pledge.reward_language} />,
      note: campaign.title,
    },
    { label: t('myPledges.withdrawal.receipt'), value: receipt },
    { label: t('myPledges.withdrawal.after.seller'), value: campaign.creator.name },
    { label: t('myPledges.withdrawal.after.who'), value: `${pledge.first_name} ${pledge.last_name}` },
    { label: t('myPledges.withdrawal.after.mail'), value: pledge.email },
  ];
  return (
    <>
      {facts
        .filter(({ value }) => value)
        .map(({ label, value, note }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              <b>{value}</b> {note && <span>{note}</span>}
            </dd>
          </div>
        ))}
    </>
  );
}
