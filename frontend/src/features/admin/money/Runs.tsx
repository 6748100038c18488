import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useDeskProposeMutation, useDeskRunsQuery, type DeskRuns } from '../../../api/desk';
import { paths } from '../../../domain/paths';
import { useLanguage } from '../../../i18n';
import { Button } from '../../../ui/Button';
import { EmptyState } from '../../../ui/EmptyState';
import { Paging } from '../Paging';
import { ActDialog } from './ActDialog';
import { RunTable } from './RunTable';
import { Shown } from './Shown';
import { Tabs } from './Tabs';
import { pageSize, usePage } from './usePage';

/** What is on its way to creators, or what is over; and a proposal of a new run. */
export function Runs() {
  const { t } = useTranslation();
  const language = useLanguage();
  const { offset, isOther: over, show } = usePage('over');
  const query = useDeskRunsQuery({ over, offset });
  const [propose] = useDeskProposeMutation();
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Tabs
        label={t('desk.parts.runs')}
        tabs={[
          { to: paths.money(language, 'runs'), name: t('desk.run.open'), isCurrent: !over },
          {
            to: paths.money(language, 'runs', undefined, { show: 'over' }),
            name: t('desk.run.over'),
            isCurrent: over,
          },
        ]}
      />
      <p>
        <Button variant="light" onClick={() => setAsking(true)}>
          {t('desk.run.propose')}
        </Button>
      </p>
      <Shown query={query}>
        {({ runs, total }) => (
          <>
            {runs.length > 0 ? <RunTable runs={runs} /> : <EmptyState title={t('desk.run.none')} />}
            <Paging
              offset={offset}
              shown={runs.length}
              size={pageSize}
              total={total}
              to={(next) => paths.money(language, 'runs', undefined, { show, offset: next || undefined })}
            />
          </>
        )}
      </Shown>
      <ActDialog
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title={t('desk.run.proposeTitle')}
        label={t('desk.run.propose')}
        number={t('desk.run.campaignId')}
        done={(data) => t((data as DeskRuns).total > 0 ? 'desk.run.proposed' : 'desk.run.allSettled')}
        act={(note, campaign) => propose({ deskProposal: { campaign_id: campaign, note } })}
      >
        <p>{t('desk.run.proposeText')}</p>
      </ActDialog>
    </>
  );
}
