import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { Link } from 'react-router-dom';
import { isApiError } from '../../api/apiError';
import { useChangePersonAdminMutation, type PersonAdmin, type PersonAdminChange } from '../../api/people';
import { readAnew } from '../../api/readAnew';
import { selectUser } from '../../api/session';
import { useAppDispatch } from '../../api/useAppDispatch';
import { paths } from '../../domain/paths';
import { maxLength } from '../../domain/rules';
import { useLanguage } from '../../i18n';
import { useErrorText } from '../../i18n/errorText';
import { formatDate } from '../../i18n/format';
import { Button } from '../../ui/Button';
import { Dialog } from '../../ui/Dialog';
import { TextareaField } from '../../ui/fields';
import { useNotify } from '../../ui/notify';
import { Segments } from '../../ui/Segments';
import { SwitchField } from '../../ui/SwitchField';
import { useAppForm } from '../../ui/useAppForm';
import { useOwnAct } from '../../ui/useOwnAct';
import { useWhileHere } from '../../ui/useWhileHere';
import classes from './PersonDialog.module.css';

export interface PersonDialogProps {
  /** Closed without one. */
  person?: PersonAdmin;
  onClose: () => void;
}

/** What an admin changes of somebody: the mark, their rights, and the block. */
export function PersonDialog({ person, onClose }: PersonDialogProps) {
  const { t } = useTranslation();
  const ownId = useSelector(selectUser)?.user_id;
  return (
    <Dialog
      isOpen={person !== undefined}
      onClose={onClose}
      title={person ? `${person.first_name} ${person.last_name}` : ''}
    >
      {person &&
        (person.user_id === ownId ? (
          <p>{t('people.staff.own')}</p>
        ) : (
          <Rights key={person.user_id} person={person} onDone={onClose} />
        ))}
    </Dialog>
  );
}

const levels = ['view', 'edit', 'admin'] as const;
type Level = (typeof levels)[number];

interface Values {
  verified: boolean;
  scope: Level;
  reason: string;
}

function Rights({ person, onDone }: { person: PersonAdmin; onDone: () => void }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const notify = useNotify();
  const errorText = useErrorText();
  const dispatch = useAppDispatch();
  const leave = useWhileHere(onDone);
  const [change] = useChangePersonAdminMutation();
  const { act } = useOwnAct();
  const [isSending, setSending] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const name = `${person.first_name} ${person.last_name}`;

  const send = async (personAdminChange: PersonAdminChange) => {
    setSending(true);
    const answer = await act(() =>
      change({ userId: person.user_id, personAdminChange, 'If-Match': `"${person.version}"` }),
    );
    const error = answer?.error;
    await dispatch(readAnew(['Accounts']));
    setSending(false);
    if (!answer) return; // they have closed the question who they are
    if (!error) {
      notify({ tone: 'success', title: t('people.staff.saved'), topic: 'person' });
      leave();
    } else if (isApiError(error)) {
      setAsking(false);
      form.showFailure(error, errorText(error, 'PersonDialog'), 'reason');
    }
  };

  const form = useAppForm<Values>({
    initialValues: {
      verified: person.settings.verified,
      scope: levels.findLast((level) => person.scope.includes(level)) ?? 'view',
      reason: '',
    },
    rules: { reason: maxLength(1000) },
    onSubmit: async ({ reason }, changed) => {
      if (changed.verified === undefined && changed.scope === undefined) {
        onDone();
        return;
      }
      await send({
        ...(changed.verified !== undefined && { settings: { verified: changed.verified } }),
        ...(changed.scope && { scope: [changed.scope] }),
        ...(reason.trim() && { reason: reason.trim() }),
      });
    },
  });
  const reason = form.values.reason.trim();
  const block = () => {
    if (reason) setAsking(true);
    else {
      form.setError('reason', t('rules.required'));
      form.focusField('reason');
    }
  };

  if (isAsking)
    return (
      <div className={classes.form}>
        <p>
          <b>{t('people.staff.blockTitle', { name })}</b>
        </p>
        <p>{t('people.staff.blockText')}</p>
        {person.open_campaigns > 0 && <p>{t('people.staff.blockHolds', { count: person.open_campaigns })}</p>}
        <div className={classes.acts}>
          <Button variant="transparent" data-autofocus onClick={() => setAsking(false)}>
            {t('people.staff.keep')}
          </Button>
          <Button
            variant="outline"
            color="danger"
            loading={isSending}
            onClick={() => void send({ blocked: true, reason })}
          >
            {t('people.staff.block')}
          </Button>
        </div>
      </div>
    );

  return (
    <form {...form.formProps} className={classes.form}>
      {person.blocked && (
        <p className={classes.blocked}>
          {t(person.blocked.reason ? 'people.staff.blockedWhy' : 'people.staff.blockedNoReason', {
            day: formatDate(language, person.blocked.at),
            reason: person.blocked.reason,
          })}
        </p>
      )}
      {person.held_campaigns.length > 0 && (
        <div>
          <p className={classes.label}>{t('people.staff.heldBy')}</p>
          <ul className={classes.held}>
            {person.held_campaigns.map(({ campaign_id: id, slug, title }) => (
              <li key={id}>
                <Link to={paths.campaign(language, { id, slug })}>{title}</Link>
              </li>
            ))}
          </ul>
          <p>
            {t('people.staff.heldNext')}{' '}
            <Link to={paths.admin(language, 'campaigns')}>{t('people.staff.toCampaigns')}</Link>
          </p>
        </div>
      )}
      <SwitchField
        label={t('people.staff.verify')}
        help={t('people.staff.verifyHelp')}
        isOn={form.values.verified}
        onChange={(verified) => form.setValue('verified', verified)}
      />
      {form.errorOf('verified') && <p className={classes.error}>{form.errorOf('verified')}</p>}
      <div data-path="scope">
        <p className={classes.label}>{t('people.staff.scope')}</p>
        <Segments<Level>
          label={t('people.staff.scope')}
          value={form.values.scope}
          segments={levels.map((value) => ({ value, label: t(`people.staff.scopes.${value}`) }))}
          onChange={(scope) => form.setValue('scope', scope)}
        />
        {form.errorOf('scope') && <p className={classes.error}>{form.errorOf('scope')}</p>}
      </div>
      <TextareaField
        label={t('people.staff.reason')}
        help={t('people.staff.reasonHelp')}
        autosize
        minRows={2}
        {...form.field('reason')}
      />
      <div className={classes.acts}>
        {person.blocked ? (
          <Button
            variant="outline"
            loading={isSending && !form.isSubmitting}
            onClick={() => void send({ blocked: false, ...(reason && { reason }) })}
          >
            {t('people.staff.unblock')}
          </Button>
        ) : (
          <Button variant="outline" color="danger" onClick={block}>
            {t('people.staff.block')}
          </Button>
        )}
        <Button type="submit" loading={form.isSubmitting}>
          {t('people.staff.save')}
        </Button>
      </div>
    </form>
  );
}
