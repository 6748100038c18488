import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  useChangeCampaignAdminMutation,
  type CampaignAdminChange,
  type TeamMember,
} from '../../../api/editing';
import { email } from '../../../domain/rules';
import { useLanguage } from '../../../i18n';
import { formatDate } from '../../../i18n/format';
import { Button } from '../../../ui/Button';
import { ConfirmDialog } from '../../../ui/ConfirmDialog';
import { ChevronUpIcon, TrashIcon } from '../../../ui/editIcons';
import { FaultText } from '../../../ui/FaultText';
import { TextField } from '../../../ui/fields';
import { IconButton } from '../../../ui/IconButton';
import { useAct } from '../useAct';
import { useEditor } from './useCampaignEditor';
import { FieldErrorText } from './FieldErrorText';
import { SidePanel } from './SidePanel';
import classes from './Team.module.css';

/** An action that has to be confirmed first. */
interface PendingAction {
  act: 'remove' | 'handOver' | 'leave' | 'takeOver';
  member: TeamMember;
}

/**
 * The campaign's team and invitations. The first member is the creator; the public page has the same order. Where the creator has
 * erased their account, whoever wants to takes their place.
 */
export function Team() {
  const { t } = useTranslation();
  const language = useLanguage();
  const { admin, campaignId, userId, act } = useEditor();
  const { team, invitations } = admin;
  const [change] = useChangeCampaignAdminMutation();
  const { run, failure, isBusy } = useAct(act, (now) => [now.team, now.invitations]);
  const [address, setAddress] = useState('');
  const [hasFault, setFault] = useState(false);
  const [pending, setPending] = useState<PendingAction>();
  const send = (campaignAdminChange: CampaignAdminChange) =>
    run((ifMatch) => change({ campaignId, 'If-Match': ifMatch, campaignAdminChange }));
  const members = (list: readonly TeamMember[]) => list.map(({ user_id }) => ({ user_id }));

  const invite = async () => {
    const to = address.trim();
    if (to === '' || email(to, undefined)) {
      setFault(true);
      return;
    }
    if (!(await send({ team: [...members(team), { email: to }] }))) setAddress('');
  };
  const up = (place: number) => {
    const [before, member] = team.slice(place - 1, place + 1);
    if (before && member) void send({ team: members(team.toSpliced(place - 1, 2, member, before)) });
  };
  const confirm = ({ act: what, member }: PendingAction) => {
    const others = team.filter(({ user_id }) => user_id !== member.user_id);
    setPending(undefined);
    void send({ team: members(what === 'handOver' || what === 'takeOver' ? [member, ...others] : others) });
  };

  return (
    <SidePanel
      title={t('editing.campaign.team.title')}
      id="team"
      help={t('editing.campaign.team.help')}
      reviewParts={['team']}
    >
      <ul className={classes.list}>
        {team.map((member, place) => (
          <li key={member.user_id} className={classes.member}>
            <span className={classes.who}>
              <b>{member.name}</b>
              <span>
                {place > 0
                  ? member.email
                  : t(`editing.campaign.team.${member.is_former ? 'creatorGone' : 'creator'}`)}
              </span>
            </span>
            {place > 1 && (
              <IconButton
                look="tool"
                label={t('editing.campaign.team.up', { name: member.name })}
                icon={<ChevronUpIcon />}
                onClick={() => up(place)}
              />
            )}
            {place > 0 && team[0]?.is_former && member.user_id === userId && (
              <Button size="sm" variant="transparent" onClick={() => setPending({ act: 'takeOver', member })}>
                {t('editing.campaign.team.takeOver')}
              </Button>
            )}
            {place > 0 && team[0]?.user_id === userId && (
              <Button size="sm" variant="transparent" onClick={() => setPending({ act: 'handOver', member })}>
                {t('editing.campaign.team.handOver')}
              </Button>
            )}
            {place > 0 && (
              <IconButton
                look="tool"
                label={t('editing.campaign.team.remove', { name: member.name })}
                icon={<TrashIcon />}
                onClick={() => setPending({ act: member.user_id === userId ? 'leave' : 'remove', member })}
              />
            )}
          </li>
        ))}
        {invitations.map((invitation) => (
          <li key={`${invitation.as_creator} ${invitation.email}`} className={classes.member}>
            <span className={classes.who}>
              <b>{invitation.email}</b>
              <span>
                {t(`editing.campaign.team.${invitation.as_creator ? 'askedToCreate' : 'invited'}`, {
                  day: formatDate(language, invitation.expires_at),
                })}
              </span>
            </span>
            <IconButton
              look="tool"
              label={t('editing.campaign.team.withdraw', { email: invitation.email })}
              icon={<TrashIcon />}
              onClick={() =>
                void send({
                  invitations: invitations.map((one) => one.email).filter((one) => one !== invitation.email),
                })
              }
            />
          </li>
        ))}
      </ul>
      <form
        noValidate
        className={classes.form}
        onSubmit={(event) => {
          event.preventDefault();
          void invite();
        }}
      >
        <TextField
          label={t('editing.campaign.team.address')}
          type="email"
          maxLength={254}
          value={address}
          error={hasFault && <FaultText fault={{ key: 'email' }} />}
          onChange={({ currentTarget }) => {
            setFault(false);
            setAddress(currentTarget.value);
          }}
        />
        <Button type="submit" variant="light" loading={isBusy}>
          {t('editing.campaign.team.invite')}
        </Button>
      </form>
      <FieldErrorText error={failure} />
      {pending && (
        <ConfirmDialog
          isOpen
          title={t(`editing.campaign.team.${pending.act}Title`, { name: pending.member.name })}
          confirmLabel={t(`editing.campaign.team.${pending.act}Confirm`)}
          cancelLabel={t('editing.campaign.team.cancel')}
          onConfirm={() => confirm(pending)}
          onCancel={() => setPending(undefined)}
        >
          {t(`editing.campaign.team.${pending.act}Text`)}
        </ConfirmDialog>
      )}
    </SidePanel>
  );
}
