import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate } from 'react-router-dom';
import { useChangeTagMutation, useCreateTagMutation, useTagsAdminQuery } from '../../../api/staff';
import { paths } from '../../../domain/paths';
import { useLanguage } from '../../../i18n';
import { Button } from '../../../ui/Button';
import { EmptyState } from '../../../ui/EmptyState';
import { PlusIcon } from '../../../ui/icons';
import { keepFocus } from '../../../ui/page';
import { SearchField } from '../../../ui/SearchField';
import table from '../../../ui/table/Table.module.css';
import { Unread } from '../../../ui/Unread';
import { LabelDialog } from './LabelDialog';
import { LabelRow, LabelTable } from './LabelRow';
import { found, latest, nameIn, ofTag, type Labelled } from './labels';
import classes from './Labels.module.css';
import { RetireDialog } from './RetireDialog';

/** A name that so many campaigns have is written to all of them within seconds, not at once. */
const atOnce = 50;

/** The tags with their names in each language and what has them; the search is in the address. */
export function Tags() {
  const { t } = useTranslation();
  const language = useLanguage();
  const navigate = useNavigate();
  const keyword = (new URLSearchParams(useLocation().search).get('keyword') ?? '').trim().slice(0, 100);
  const call = useTagsAdminQuery();
  const { currentData } = call;
  const [create] = useCreateTagMutation();
  const [change] = useChangeTagMutation();
  const [renamed, setRenamed] = useState<Labelled | 'new'>();
  const [retired, setRetired] = useState<Labelled>();

  if (!currentData) return <Unread of={call} where="AdminTags" lines={10} />;
  const all = currentData.tags.map(ofTag);
  const list = found(all, language, keyword);
  const named = renamed === 'new' ? undefined : latest(all, renamed);

  return (
    <>
      <div className={table.panel}>
        <div className={table.tools}>
          <SearchField
            look="box"
            label={t('staff.tags.search')}
            keyword={keyword}
            onSearch={(next) =>
              void navigate(paths.admin(language, 'tags', { keyword: next }), {
                state: keepFocus,
                preventScrollReset: true,
              })
            }
          />
          <p role="status" className={classes.count}>
            {t('staff.tags.count', { count: list.length })}
          </p>
          <Button size="sm" leftSection={<PlusIcon size={16} />} onClick={() => setRenamed('new')}>
            {t('staff.tags.add')}
          </Button>
        </div>
        <LabelTable label={t('people.staff.tags')}>
          {list.map((one) => (
            <LabelRow key={one.id} one={one} onRename={() => setRenamed(one)}>
              <Button
                variant="transparent"
                size="sm"
                color="danger"
                aria-label={`${t('staff.tags.retire')}: ${nameIn(language, one.labels)}`}
                onClick={() => setRetired(one)}
              >
                {t('staff.tags.retire')}
              </Button>
            </LabelRow>
          ))}
        </LabelTable>
        {list.length === 0 && <EmptyState title={t('staff.tags.none')} />}
      </div>
      <LabelDialog
        isOpen={renamed !== undefined}
        title={t(renamed === 'new' ? 'staff.tags.addTitle' : 'staff.tags.renameTitle')}
        labels={named?.labels ?? {}}
        help={
          named && named.campaigns > atOnce ? t('staff.tags.many', { count: named.campaigns }) : undefined
        }
        onSave={(labelsChange) =>
          named
            ? change({ tagId: named.id, 'If-Match': `"${named.version}"`, labelsChange })
            : create({ labelsChange })
        }
        onClose={() => setRenamed(undefined)}
      />
      <RetireDialog tag={latest(all, retired)} tags={all} onClose={() => setRetired(undefined)} />
    </>
  );
}
