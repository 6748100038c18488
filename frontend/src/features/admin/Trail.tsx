import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate, Link } from 'react-router-dom';
import { useAuditTrailQuery, type AuditEntry } from '../../api/people';
import { paths } from '../../domain/paths';
import { useLanguage } from '../../i18n';
import { formatDateTime } from '../../i18n/format';
import { EmptyState } from '../../ui/EmptyState';
import { keepFocus } from '../../ui/page';
import { AuditFilter } from './AuditFilter';
import { auditQuery, automaticActors, entities, readAudit, writeAudit, type Audit } from './audit';
import classes from './Trail.module.css';
import { Paging } from './Paging';
import { useChangeWords, type ChangeWords } from '../../ui/changes/useChangeWords';
import { useKnown } from '../../ui/changes/useKnown';
import { says } from '../../ui/changes/says';
import { Unread } from '../../ui/Unread';

const pageSize = 24;

/** Who changed what of everything, for admins. The search is in the address. */
export function Trail() {
  const { t } = useTranslation();
  const language = useLanguage();
  const navigate = useNavigate();
  const words = useChangeWords(useKnown());
  const asked = readAudit(new URLSearchParams(useLocation().search));
  const call = useAuditTrailQuery({ ...auditQuery(asked), limit: pageSize });
  const { currentData } = call;
  const at = (next: Audit) => paths.admin(language, 'audit', writeAudit(next));
  return (
    <>
      <AuditFilter
        key={JSON.stringify(asked)}
        asked={asked}
        onSearch={(next) => void navigate(at(next), { state: keepFocus, preventScrollReset: true })}
      />
      {currentData ? (
        <>
          <p role="status" className={classes.count}>
            {t(currentData.total_is_more ? 'people.staff.entriesOver' : 'people.staff.entries', {
              count: currentData.total,
            })}
          </p>
          {currentData.entries.length === 0 && <EmptyState title={t('people.staff.noEntries')} />}
          <ol className={classes.entries}>
            {currentData.entries.map((entry) => (
              <Entry key={entry.id} entry={entry} words={words} />
            ))}
          </ol>
          <Paging
            offset={asked.offset}
            shown={currentData.entries.length}
            size={pageSize}
            total={currentData.total}
            to={(offset) => at({ ...asked, offset })}
          />
        </>
      ) : (
        <Unread of={call} where="AuditPage" lines={12} />
      )}
    </>
  );
}

interface EntryProps {
  entry: AuditEntry;
  words: ChangeWords;
}

function Entry({ entry, words }: EntryProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { by, entity, entity_id: id } = entry;
  const fields = entry.fields.filter(says);
  const actor = automaticActors.find((one) => one === by.actor);
  const known = entities.find((one) => one === entity);
  return (
    <li className={classes.entry}>
      <p className={classes.head}>
        <time dateTime={entry.at}>{formatDateTime(language, entry.at)}</time>
        <span>{by.name || t(`people.staff.actors.${actor ?? 'user'}`)}</span>
        <b>{words.act(entry.action)}</b>
        <Link to={paths.admin(language, 'audit', { entity, entity_id: id })}>
          {t(`people.staff.entities.${known ?? 'other'}`)} {id}
        </Link>
      </p>
      {fields.length > 0 && (
        <div className={classes.scroll}>
          <table className={classes.fields}>
            <thead>
              <tr>
                <th scope="col">{t('people.staff.field')}</th>
                <th scope="col">{t('people.staff.before')}</th>
                <th scope="col">{t('people.staff.after')}</th>
              </tr>
            </thead>
            <tbody>
              {fields.map(({ path, before, after, long }) => (
                <tr key={path}>
                  <th scope="row">{words.field(path)}</th>
                  <td>{long && before === undefined ? t('people.staff.long') : shown(path, before)}</td>
                  <td>{long && after === undefined ? t('people.staff.long') : shown(path, after)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </li>
  );

  function shown(path: string, of: unknown) {
    const text = words.value({ entity, path }, of);
    return text === '' ? <span className={classes.empty}>{t('people.staff.empty')}</span> : text;
  }
}
