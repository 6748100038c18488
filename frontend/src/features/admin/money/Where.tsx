import type { DeskPaymentRow } from '../../../api/desk';
import { Chip, type ChipProps } from '../../../ui/Chip';
import { useWords } from './useWords';

const tones: Readonly<Partial<Record<DeskPaymentRow['where'], ChipProps['tone']>>> = {
  charged: 'info',
  held: 'cloud',
  approved: 'cloud',
  sent: 'cloud',
  arrived: 'spruce',
  contested: 'danger',
};

/** Where a payment's money is, as a chip. */
export function Where({ where }: Pick<DeskPaymentRow, 'where'>) {
  const words = useWords();
  return <Chip tone={tones[where]}>{words('where', where)}</Chip>;
}
