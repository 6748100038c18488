import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  useDeskReplayMutation,
  useDeskWebhooksQuery,
  type DeskReplay,
  type DeskWebhook,
} from '../../../api/desk';
import { paths } from '../../../domain/paths';
import { useLanguage } from '../../../i18n';
import { formatDateTime } from '../../../i18n/format';
import { Button } from '../../../ui/Button';
import { EmptyState } from '../../../ui/EmptyState';
import table from '../../../ui/table/Table.module.css';
import { Paging } from '../Paging';
import { ActDialog } from './ActDialog';
import { Shown } from './Shown';
import { Table } from './Table';
import { pageSize, usePage } from './usePage';
import { useWords } from './useWords';

/** What providers have told and could not be taken up yet, with a press that takes it up at once. */
export function Webhooks() {
  const { t } = useTranslation();
  const language = useLanguage();
  const words = useWords();
  const { offset } = usePage('');
  const query = useDeskWebhooksQuery({ offset });
  const [replay] = useDeskReplayMutation();
  const [asked, setAsked] = useState<DeskWebhook>();
  return (
    <>
      <Shown query={query}>
        {({ webhooks, total }) => (
          <>
            {webhooks.length === 0 && <EmptyState title={t('desk.webhook.none')} />}
            {webhooks.length > 0 && (
              <Table
                label={t('desk.parts.webhooks')}
                columns={['event', 'provider', 'when', 'tries', 'error', 'acts']}
              >
                {webhooks.map((one) => (
                  <tr key={`${one.provider} ${one.event_key}`} className={table.row}>
                    <th scope="row" title={one.event_key}>
                      {one.type}
                    </th>
                    <td>{words('provider', one.provider)}</td>
                    <td>{formatDateTime(language, one.received_at)}</td>
                    <td>{one.tries}</td>
                    <td title={one.error}>{one.error}</td>
                    <td>
                      <Button
                        variant="light"
                        size="sm"
                        aria-label={`${t('desk.webhook.replay')}: ${one.type} ${one.object_ref}`}
                        onClick={() => setAsked(one)}
                      >
                        {t('desk.webhook.replay')}
                      </Button>
                    </td>
                  </tr>
                ))}
              </Table>
            )}
            <Paging
              offset={offset}
              shown={webhooks.length}
              size={pageSize}
              total={total}
              to={(next) => paths.money(language, 'webhooks', undefined, { offset: next || undefined })}
            />
          </>
        )}
      </Shown>
      <ActDialog
        isOpen={asked !== undefined}
        onClose={() => setAsked(undefined)}
        title={t('desk.webhook.replayTitle')}
        label={t('desk.webhook.replay')}
        done={t('desk.webhook.replayed')}
        act={(note) =>
          replay({
            deskReplay: {
              provider: asked?.provider as DeskReplay['provider'],
              event_key: asked?.event_key ?? '',
              note,
            },
          })
        }
      >
        <p>{t('desk.webhook.replayText')}</p>
      </ActDialog>
    </>
  );
}
