import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ApiError } from '../../../api/apiError';
import type { ExperimentMember } from '../../../api/content';
import { useChangeExperimentSettingsMutation } from '../../../api/experiments';
import { ConfirmDialog } from '../../../ui/ConfirmDialog';
import { ChevronUpIcon } from '../../../ui/editIcons';
import { IconButton } from '../../../ui/IconButton';
import { CloseIcon } from '../../../ui/icons';
import { Picture } from '../../../ui/Picture';
import { FieldErrorText } from '../campaign/FieldErrorText';
import { SidePanel } from '../campaign/SidePanel';
import classes from './ExperimentEditor.module.css';
import { PersonSearch } from './PersonSearch';
import { useWriting } from './useExperimentWriting';

/** Who does the experiment, the owner first. The owner and staff change it; anybody else may leave. */
export function TeamEditor() {
  const { t } = useTranslation();
  const { admin, experimentId, userId, act, isStaff } = useWriting();
  const { team } = admin;
  const [change] = useChangeExperimentSettingsMutation();
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<ApiError>();
  const [leaving, setLeaving] = useState<ExperimentMember>();
  const mayChange = isStaff || team[0]?.user_id === userId;

  const save = async (ids: number[]) => {
    setBusy(true);
    setFailure(undefined);
    const error = await act((ifMatch) =>
      change({ experimentId, 'If-Match': ifMatch, experimentSettingsChange: { team: ids } }),
    );
    setBusy(false);
    setLeaving(undefined);
    setFailure(error);
    return !error;
  };
  const ids = team.map(({ user_id }) => user_id);
  return (
    <SidePanel title={t('experimentEdit.team.title')} id="team">
      <ul className={classes.rows}>
        {team.map((member, place) => {
          const { user_id, name, image, short_description } = member;
          return (
            <li key={user_id} className={classes.member}>
              <Picture
                name={image}
                alt=""
                ratio={1}
                widths={[80, 160]}
                sizes="2.25rem"
                shape="round"
                className={classes.face}
              />
              <div>
                <p>{name}</p>
                <p className={classes.quiet}>{short_description}</p>
              </div>
              {place === 0 && <span className={classes.quiet}>{t('experimentEdit.team.owner')}</span>}
              {place > 0 && mayChange && (
                <IconButton
                  look="tool"
                  label={t('experimentEdit.team.makeOwner', { name })}
                  icon={<ChevronUpIcon size={16} />}
                  onClick={() => void save([user_id, ...ids.filter((id) => id !== user_id)])}
                />
              )}
              {place > 0 && (mayChange || user_id === userId) && (
                <IconButton
                  look="tool"
                  label={t('experimentEdit.team.remove', { name })}
                  icon={<CloseIcon size={16} />}
                  onClick={() => setLeaving(member)}
                />
              )}
            </li>
          );
        })}
      </ul>
      {mayChange && (
        <PersonSearch
          without={ids}
          isBusy={isBusy}
          failure={failure}
          onType={() => setFailure(undefined)}
          onChoose={(id) => (ids.includes(id) ? Promise.resolve(true) : save([...ids, id]))}
        />
      )}
      {!mayChange && <FieldErrorText error={failure} />}
      {leaving && (
        <ConfirmDialog
          isOpen
          isConfirming={isBusy}
          title={t('experimentEdit.team.removeTitle', { name: leaving.name })}
          confirmLabel={t('experimentEdit.team.confirm')}
          cancelLabel={t('experimentEdit.team.cancel')}
          onConfirm={() => void save(ids.filter((id) => id !== leaving.user_id))}
          onCancel={() => setLeaving(undefined)}
        >
          {t('experimentEdit.team.removeText')}
        </ConfirmDialog>
      )}
    </SidePanel>
  );
}
