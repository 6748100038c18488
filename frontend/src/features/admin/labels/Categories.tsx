import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isApiError } from '../../../api/apiError';
import {
  useCategoriesAdminQuery,
  useChangeCategoryMutation,
  useCreateCategoryMutation,
  useDeleteCategoryMutation,
  useOrderCategoriesMutation,
} from '../../../api/staff';
import { useLanguage } from '../../../i18n';
import { useErrorText } from '../../../i18n/errorText';
import { Button } from '../../../ui/Button';
import { ConfirmDialog } from '../../../ui/ConfirmDialog';
import { ChevronUpIcon } from '../../../ui/editIcons';
import { EmptyState } from '../../../ui/EmptyState';
import { ErrorState } from '../../../ui/ErrorState';
import { IconButton } from '../../../ui/IconButton';
import { ChevronDownIcon, PlusIcon } from '../../../ui/icons';
import { useNotify } from '../../../ui/notify';
import { LinesSkeleton } from '../../../ui/Skeletons';
import table from '../../../ui/table/Table.module.css';
import { LabelDialog } from './LabelDialog';
import { LabelRow, LabelTable } from './LabelRow';
import { nameIn, ofCategory, type Labelled } from './labels';
import classes from './Labels.module.css';

/** The categories of campaigns in their order, with their names in each language. */
export function Categories() {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const notify = useNotify();
  const language = useLanguage();
  const { currentData, error, refetch } = useCategoriesAdminQuery();
  const [create] = useCreateCategoryMutation();
  const [change] = useChangeCategoryMutation();
  const [order, { isLoading: isOrdering }] = useOrderCategoriesMutation();
  const [remove, { isLoading: isRemoving }] = useDeleteCategoryMutation();
  const [renamed, setRenamed] = useState<Labelled | 'new'>();
  const [removed, setRemoved] = useState<Labelled>();

  if (!currentData)
    return error ? (
      <ErrorState onRetry={refetch}>{isApiError(error) && errorText(error, 'AdminCategories')}</ErrorState>
    ) : (
      <LinesSkeleton lines={10} />
    );
  const list = currentData.categories.map(ofCategory);
  const tell = ({ error: failure }: { error?: unknown }) => {
    if (!failure) return;
    notify({
      tone: 'error',
      title: isApiError(failure) ? errorText(failure, 'AdminCategories') : t('staff.labels.failed'),
      topic: 'labels',
    });
    void refetch();
  };
  const move = async (from: number, to: number) => {
    const categories = list.map(({ id }) => id);
    categories.splice(to, 0, ...categories.splice(from, 1));
    tell(await order({ categoriesOrder: { categories } }));
  };
  const moveTo = (from: number, to: number) =>
    to >= 0 && to < list.length && !isOrdering ? () => void move(from, to) : undefined;

  return (
    <>
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
      <LabelDialog
        isOpen={renamed !== undefined}
        title={t(renamed === 'new' ? 'staff.categories.addTitle' : 'staff.categories.renameTitle')}
        labels={renamed && renamed !== 'new' ? renamed.labels : {}}
        onSave={(labelsChange) =>
          renamed && renamed !== 'new'
            ? change({ categoryId: renamed.id, 'If-Match': `"${renamed.version}"`, labelsChange })
            : create({ labelsChange })
        }
        onClose={() => setRenamed(undefined)}
      />
      <ConfirmDialog
        isOpen={removed !== undefined}
        title={t('staff.labels.removeTitle', { name: removed ? nameIn(language, removed.labels) : '' })}
        confirmLabel={t('staff.labels.remove')}
        cancelLabel={t('staff.labels.cancel')}
        isConfirming={isRemoving}
        onConfirm={() => {
          if (!removed) return;
          void remove({ categoryId: removed.id, 'If-Match': `"${removed.version}"` }).then((answer) => {
            setRemoved(undefined);
            tell(answer);
          });
        }}
        onCancel={() => setRemoved(undefined)}
      >
        {t('staff.categories.removeText')}
      </ConfirmDialog>
    </>
  );
}
