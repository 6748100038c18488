import { useTranslation } from 'react-i18next';
import type { RewardKind } from '../../../api/editing';
import { SelectField } from '../../../ui/fields';
import classes from './RewardEditor.module.css';
import type { SectionProps } from './RewardForm';

const kinds: readonly RewardKind[] = ['goods', 'service', 'digital', 'made_to_order'];

/** What the reward is, and what that means for who takes it back. */
export function Kind({ editor: { draft, write } }: Pick<SectionProps, 'editor'>) {
  const { t } = useTranslation();
  return (
    <div className={classes.kind}>
      <SelectField
        label={t('editing.reward.kind')}
        help={t(`editing.reward.kindHelp.${draft.kind}`)}
        value={draft.kind}
        onChange={({ currentTarget }) =>
          write({ kind: kinds.find((one) => one === currentTarget.value) ?? 'goods' })
        }
        data={kinds.map((value) => ({ value, label: t(`editing.reward.kinds.${value}`) }))}
      />
    </div>
  );
}
