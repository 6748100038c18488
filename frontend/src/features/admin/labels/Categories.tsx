import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isApiError } from '../../../api/apiError';
import { readAnew } from '../../../api/readAnew';
import {
  useCategoriesAdminQuery,
  useChangeCategoryMutation,
  useCreateCategoryMutation,
  useDeleteCategoryMutation,
  useOrderCategoriesMutation,
} from '../../../api/staff';
import { useAppDispatch } from '../../../api/useAppDispatch';
import { useLanguage } from '../../../i18n';
import { useErrorText } from '../../../i18n/errorText';
import { Button } from '../../../ui/Button';
import { ConfirmDialog } from '../../../ui/ConfirmDialog';
import { ChevronUpIcon } from '../../../ui/editIcons';
import { EmptyState } from '../../../ui/EmptyState';
import { IconButton } from '../../../ui/IconButton';
import { ChevronDownIcon, PlusIcon } from '../../../ui/icons';
import { useNotify } from '../../../ui/notify';
import table from '../../../ui/table/Table.module.css';
import { Unread } from '../../../ui/Unread';
import { SaveBar } from '../SaveBar';
import { LabelDialog } from './LabelDialog';
import { LabelRow, LabelTable } from './LabelRow';
import { arranged, isSameOrder, latest, nameIn, ofCategory, type Labelled } from './labels';
import classes from './Labels.module.css';

/** The categories of campaigns in their order, with their names in each language. */
export function Categories() {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const notify = useNotify();
  const language = useLanguage();
  const dispatch = useAppDispatch();
  const call = useCategoriesAdminQuery();
  const { currentData } = call;
  const [create] = useCreateCategoryMutation();
  const [change] = useChangeCategoryMutation();
  const [putInOrder] = useOrderCategoriesMutation();
  const [remove, { isLoading: isRemoving }] = useDeleteCategoryMutation();
  const [renamed, setRenamed] = useState<Labelled | 'new'>();
  const [removed, setRemoved] = useState<Labelled>();
  // The order that they were moved to, and the one that was saved then. It stays when the list is read again, as after
  // somebody else has changed it.
  const [moved, setMoved] = useState<{ order: readonly number[]; from: readonly number[] }>();
  const [isOrdering, setOrdering] = useState(false);
  const [failure, setFailure] = useState('');

  if (!currentData) return <Unread of={call} where="AdminCategories" lines={10} />;
  const saved = currentData.categories.map(ofCategory);
  const savedOrder = saved.map(({ id }) => id);
  const list = moved ? arranged(saved, moved.order) : saved;
  const order = list.map(({ id }) => id);
  const isMoved = moved !== undefined && !isSameOrder(order, savedOrder);
  const isOutdated = isMoved && !isSameOrder(moved.from, savedOrder);
  const named = renamed === 'new' ? undefined : latest(saved, renamed);
  const toRemove = latest(saved, removed);
  const textOf = (failed: unknown) =>
    isApiError(failed) ? errorText(failed, 'AdminCategories') : t('staff.labels.failed');
  const moveTo = (from: number, to: number) => {
    if (to < 0 || to >= list.length || isOrdering) return undefined;
    return () => {
      setFailure('');
      const next = [...order];
      next.splice(to, 0, ...next.splice(from, 1));
      setMoved(isSameOrder(next, savedOrder) ? undefined : { order: next, from: moved?.from ?? savedOrder });
    };
  };
  const undo = () => {
    setFailure('');
    setMoved(undefined);
  };
  const save = async () => {
    setFailure('');
    setOrdering(true);
    const answer = await putInOrder({ categoriesOrder: { categories: order, seen: savedOrder } });
    await dispatch(readAnew(['Labels']));
    setOrdering(false);
    if (answer.error) {
      setFailure(textOf(answer.error));
      return;
    }
    setMoved(undefined);
    notify({ tone: 'success', title: t('staff.labels.saved'), topic: 'labels' });
  };

  return (
    <>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <div className={table.panel}>
          <div className={table.tools}>
            <p className={classes.count}>{t('staff.categories.count', { count: list.length })}</p>
            <Button size="sm" leftSection={<PlusIcon size={16} />} onClick={() => setRenamed('new')}>
              {t('staff.categories.add')}
            </Button>
          </div>
          <LabelTable label={t('people.staff.categories')}>
            {list.map((one, place) => {
              const name = nameIn(language, one.labels);
              const up = moveTo(place, place - 1);
              const down = moveTo(place, place + 1);
              return (
                <LabelRow key={one.id} one={one} onRename={() => setRenamed(one)}>
                  <IconButton
                    label={t('staff.labels.up', { name })}
                    icon={<ChevronUpIcon size={16} />}
                    aria-disabled={!up || undefined}
                    onClick={up}
                  />
                  <IconButton
                    label={t('staff.labels.down', { name })}
                    icon={<ChevronDownIcon size={16} />}
                    aria-disabled={!down || undefined}
                    onClick={down}
                  />
                  {one.campaigns === 0 && (
                    <Button
                      variant="transparent"
                      size="sm"
                      color="danger"
                      aria-label={`${t('staff.labels.remove')}: ${name}`}
                      onClick={() => setRemoved(one)}
                    >
                      {t('staff.labels.remove')}
                    </Button>
                  )}
                </LabelRow>
              );
            })}
          </LabelTable>
          {list.length === 0 && <EmptyState title={t('staff.categories.none')} />}
        </div>
        {isMoved && (
          <SaveBar
            failure={
              <>
                {failure}{' '}
                {isOutdated &&
                  t('staff.categories.outdated', {
                    names: saved.map(({ labels }) => nameIn(language, labels)).join(', '),
                  })}
              </>
            }
            isChanged
            isSaving={isOrdering}
            saveLabel={t('staff.categories.saveOrder')}
            onUndo={undo}
          />
        )}
      </form>
      <LabelDialog
        isOpen={renamed !== undefined}
        title={t(renamed === 'new' ? 'staff.categories.addTitle' : 'staff.categories.renameTitle')}
        labels={named?.labels ?? {}}
        onSave={(labelsChange) =>
          named
            ? change({ categoryId: named.id, 'If-Match': `"${named.version}"`, labelsChange })
            : create({ labelsChange })
        }
        onClose={() => setRenamed(undefined)}
      />
      <ConfirmDialog
        isOpen={toRemove !== undefined}
        title={t('staff.labels.removeTitle', { name: toRemove ? nameIn(language, toRemove.labels) : '' })}
        confirmLabel={t('staff.labels.remove')}
        cancelLabel={t('staff.labels.cancel')}
        isConfirming={isRemoving}
        onConfirm={() => {
          if (!toRemove) return;
          void remove({ categoryId: toRemove.id, 'If-Match': `"${toRemove.version}"` }).then(({ error }) => {
            // Another may be asked about meanwhile.
            setRemoved((now) => (now?.id === toRemove.id ? undefined : now));
            if (error) notify({ tone: 'error', title: textOf(error), topic: 'labels' });
          });
        }}
        onCancel={() => setRemoved(undefined)}
      >
        {t('staff.categories.removeText')}
      </ConfirmDialog>
    </>
  );
}
