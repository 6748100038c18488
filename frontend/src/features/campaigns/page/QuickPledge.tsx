import type { MouseEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../ui/Button';
import { Link } from 'react-router-dom';
import { useOpenDialog } from '../../../ui/useNamedDialog';

/** Opens a pledge without a reward over the page; in a new tab, or without script, the pledge page. */
export function QuickPledge({ path }: { path: string }) {
  const { t } = useTranslation();
  const openDialog = useOpenDialog();
  const open = (event: MouseEvent) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    openDialog('pledge');
  };
  return (
    <Button component={Link} to={path} variant="transparent" fullWidth onClick={open}>
      {t('campaignPage.quickPledge')}
    </Button>
  );
}
