import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  useChangeCampaignSettingsMutation,
  useLookUpVideoMutation,
  type CampaignAdmin,
} from '../../../api/editing';
import { playerAddress } from '../../../domain/playerAddress';
import { useErrorText } from '../../../i18n/errorText';
import { ServerFaultText } from '../../../ui/FaultText';
import { AppMantineProvider } from '../../../ui/AppMantineProvider';
import { TextField } from '../../../ui/fields';
import { CheckIcon } from '../../../ui/icons';
import type { Act } from '../useEntityEditor';
import { useSaveOnBlur } from '../useSaveOnBlur';

export interface VideoEditorProps {
  admin: CampaignAdmin;
  userId: number;
  act: Act<CampaignAdmin>;
}

/**
 * The address of the campaign's video; empty for none. When the field loses the focus, the server looks the video up at
 * its platform, and saves the address only if the video exists and can be embedded. Until then the typed one stays.
 */
export function VideoEditor({ admin, userId, act }: VideoEditorProps) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const [lookUp] = useLookUpVideoMutation();
  const [change] = useChangeCampaignSettingsMutation();
  const [title, setTitle] = useState('');
  const video = useSaveOnBlur({
    name: `video-${admin.campaign_id}`,
    userId,
    saved: admin.video_url,
    send: async (typed) => {
      setTitle('');
      const url = playerAddress(typed)?.address ?? typed;
      const found = url ? await lookUp({ videoLookup: { url } }) : undefined;
      if (found?.error) return found.error;
      const error = await act(() =>
        change({
          campaignId: admin.campaign_id,
          campaignSettingsChange: { video_url: found?.data.video.url ?? '' },
        }),
      );
      if (error) return error;
      setTitle(found?.data.video.title ?? '');
      return undefined;
    },
  });
  const fault = video.error?.fields?.[0];
  return (
    <AppMantineProvider>
      <TextField
        label={t('editing.video.address')}
        help={
          <span role="status">
            {video.isSending && t('editing.video.looking')}
            {!video.isSending && video.isSaved && title && t('editing.video.found', { title })}
            {!video.isSending && video.isSaved && !title && t('editing.video.saved')}
            {!video.isSending && !video.isSaved && t('editing.video.help')}
          </span>
        }
        error={
          fault ? <ServerFaultText fault={fault} /> : video.error && errorText(video.error, 'VideoEditor')
        }
        inputMode="url"
        autoComplete="off"
        maxLength={2000}
        rightSection={video.isSaved && video.value.trim() ? <CheckIcon size={20} /> : undefined}
        value={video.value}
        onChange={({ currentTarget }) => video.write(currentTarget.value)}
        onBlur={() => void video.leave()}
        onKeyDown={({ key }) => key === 'Enter' && void video.leave()}
      />
    </AppMantineProvider>
  );
}
