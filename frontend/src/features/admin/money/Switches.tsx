import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  useDeskSwitchesQuery,
  useDeskSwitchMutation,
  type DeskProvider,
  type DeskSwitchWord,
} from '../../../api/desk';
import { useLanguage } from '../../../i18n';
import { formatDateTime } from '../../../i18n/format';
import { Button } from '../../../ui/Button';
import { Chip } from '../../../ui/Chip';
import table from '../../../ui/table/Table.module.css';
import { ActDialog } from './ActDialog';
import { Shown } from './Shown';
import { Table } from './Table';
import { useWords } from './useWords';
import classes from './Desk.module.css';

/** Whether payments begin at each provider, with a press that says otherwise, and what was said so far. */
export function Switches() {
  const { t } = useTranslation();
  const language = useLanguage();
  const words = useWords();
  const query = useDeskSwitchesQuery();
  const [flip] = useDeskSwitchMutation();
  const [asked, setAsked] = useState<DeskProvider>();
  const isOn = asked?.is_on ?? false;
  const provider = words('provider', asked?.provider ?? '');
  return (
    <>
      <Shown query={query}>
        {({ providers, history }) => (
          <>
            <div className={classes.panel}>
              <ul className={classes.rows}>
                {providers.map((one) => (
                  <li key={one.provider}>
                    <div>
                      {words('provider', one.provider)}{' '}
                      <Chip tone={one.is_on ? 'spruce' : 'danger'}>
                        {t(one.is_on ? 'desk.on' : 'desk.off')}
                      </Chip>
                    </div>
                    <Button
                      variant="outline"
                      size="sm"
                      color={one.is_on ? 'danger' : undefined}
                      aria-label={`${t(one.is_on ? 'desk.switch.turnOff' : 'desk.switch.turnOn')}: ${words('provider', one.provider)}`}
                      onClick={() => setAsked(one)}
                    >
                      {t(one.is_on ? 'desk.switch.turnOff' : 'desk.switch.turnOn')}
                    </Button>
                  </li>
                ))}
              </ul>
            </div>
            {history.length === 0 ? (
              <p className={classes.calm}>{t('desk.switch.none')}</p>
            ) : (
              <Table label={t('desk.switch.history')} columns={['when', 'provider', 'state', 'by', 'why']}>
                {history.map((one) => (
                  <tr key={`${one.at} ${one.provider}`} className={table.row}>
                    <td>{formatDateTime(language, one.at)}</td>
                    <td>{words('provider', one.provider)}</td>
                    <td>{t(one.is_on ? 'desk.on' : 'desk.off')}</td>
                    <td>{one.actor}</td>
                    <td title={one.reason}>{one.reason}</td>
                  </tr>
                ))}
              </Table>
            )}
          </>
        )}
      </Shown>
      <ActDialog
        isOpen={asked !== undefined}
        onClose={() => setAsked(undefined)}
        title={t(isOn ? 'desk.switch.offTitle' : 'desk.switch.onTitle', { provider })}
        label={t(isOn ? 'desk.switch.turnOff' : 'desk.switch.turnOn')}
        isDestructive={isOn}
        done={t('desk.switch.done')}
        act={(note) =>
          flip({
            deskSwitchWord: { provider: asked?.provider as DeskSwitchWord['provider'], is_on: !isOn, note },
          })
        }
      >
        <p>{t(isOn ? 'desk.switch.offText' : 'desk.switch.onText')}</p>
      </ActDialog>
    </>
  );
}
