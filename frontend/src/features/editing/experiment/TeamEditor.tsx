import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ExperimentMember } from '../../../api/content';
import { useChangeExperimentSettingsMutation } from '../../../api/experiments';
import { useLanguage } from '../../../i18n';
import { formatDay } from '../../../i18n/format';
import { ConfirmDialog } from '../../../ui/ConfirmDialog';
import { ChevronUpIcon } from '../../../ui/editIcons';
import { IconButton } from '../../../ui/IconButton';
import { CloseIcon } from '../../../ui/icons';
import { Picture } from '../../../ui/Picture';
import { FieldErrorText } from '../campaign/FieldErrorText';
import { SidePanel } from '../campaign/SidePanel';
import { useAct } from '../useAct';
import classes from './ExperimentEditor.module.css';
import { PersonSearch } from './PersonSearch';
import { useEditor } from './useExperimentEditor';

/**
 * Who does the experiment, the owner first, and who is asked to. The owner and staff change it; anybody else may leave,
 * or own it in place of an owner who has erased their account. Who is new
 * in it, or is to own it, agrees first.
 */
export function TeamEditor() {
  const { t } = useTranslation();
  const { admin, experimentId, userId, act, isStaff } = useEditor();
  const { team, invitations } = admin;
  const language = useLanguage();
  const [change] = useChangeExperimentSettingsMutation();
  const { run, failure, isBusy, forget } = useAct(act);
  const [leaving, setLeaving] = useState<ExperimentMember>();
  const isOrphan = team[0]?.is_former === true;
  const mayChange = isStaff || team[0]?.user_id === userId;

  const save = async (settings: { team?: number[]; invitations?: number[] }) => {
    const error = await run((ifMatch) =>
      change({ experimentId, 'If-Match': ifMatch, experimentSettingsChange: settings }),
    );
    setLeaving((now) => (now === leaving ? undefined : now));
    return !error;
  };
  const ids = team.map(({ user_id }) => user_id);
  const invited = invitations.map(({ user_id }) => user_id);
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
              {place === 0 && (
                <span className={classes.quiet}>
                  {t(`experimentEdit.team.${isOrphan ? 'ownerGone' : 'owner'}`)}
                </span>
              )}
              {place > 0 &&
                ((isOrphan && user_id === userId) || (mayChange && !invited.includes(user_id))) && (
                  <IconButton
                    look="tool"
                    label={t(`experimentEdit.team.${user_id === userId ? 'takeOver' : 'makeOwner'}`, {
                      name,
                    })}
                    icon={<ChevronUpIcon size={16} />}
                    onClick={() => void save({ team: [user_id, ...ids.filter((id) => id !== user_id)] })}
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
      {invitations.length > 0 && (
        <ul className={classes.rows} aria-label={t('experimentEdit.team.waiting')}>
          {invitations.map(({ user_id, name, image, as_owner, expires_at }) => (
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
                <p className={classes.quiet}>
                  {t(as_owner ? 'experimentEdit.team.askedToOwn' : 'experimentEdit.team.invited', {
                    day: formatDay(language, expires_at),
                  })}
                </p>
              </div>
              {mayChange && (
                <IconButton
                  look="tool"
                  label={t('experimentEdit.team.withdraw', { name })}
                  icon={<CloseIcon size={16} />}
                  onClick={() => void save({ invitations: invited.filter((id) => id !== user_id) })}
                />
              )}
            </li>
          ))}
        </ul>
      )}
      {mayChange && (
        <PersonSearch
          without={[...ids, ...invited]}
          isBusy={isBusy}
          failure={failure}
          onType={forget}
          onChoose={(id) => (ids.includes(id) ? Promise.resolve(true) : save({ team: [...ids, id] }))}
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
          onConfirm={() => void save({ team: ids.filter((id) => id !== leaving.user_id) })}
          onCancel={() => setLeaving(undefined)}
        >
          {t('experimentEdit.team.removeText')}
        </ConfirmDialog>
      )}
    </SidePanel>
  );
}
