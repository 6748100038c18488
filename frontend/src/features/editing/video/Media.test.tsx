import { screen, waitFor } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { aUser } from '../../../../test/builders';
import { renderPart } from '../../../../test/part';
import { aCampaignAdmin } from '../../../../test/campaignAdmin';
import { content, refusal, server } from '../../../../test/server';
import type { CampaignAdmin } from '../../../api/editing';
import { failureOf } from '../../../ui/saving/failures';
import { CoverEditor } from '../pictures/CoverEditor';
import type { Act } from '../useEntityEditor';
import { VideoEditor } from './VideoEditor';

const settings = content('/campaigns/3/settings/');
const lookup = content('/videos/lookup/');

/** Makes calls without an editor. */
const sendAtOnce: Act<CampaignAdmin> = async (call) => {
  const { error } = await call('"1"');
  return error === undefined ? undefined : failureOf(error);
};

async function startVideo(video_url = '') {
  const act = jest.fn(sendAtOnce);
  const part = <VideoEditor admin={aCampaignAdmin({ video_url })} userId={7} act={act} />;
  const page = await renderPart(part, { user: aUser() });
  return { ...page, act, field: screen.getByRole('textbox', { name: 'Videon osoite' }) };
}

test('a video is looked up at its platform, and saved with the platform’s address', async () => {
  const sent: unknown[] = [];
  server.use(
    http.post(lookup, () =>
      HttpResponse.json({
        video: { url: 'https://www.youtube.com/watch?v=abcdefghijk', platform: 'youtube', title: 'Sauna' },
      }),
    ),
    http.patch(settings, async ({ request }) => {
      sent.push(await request.json());
      return HttpResponse.json({ settings: {}, version: 2 });
    }),
  );
  const { pointer, field, act } = await startVideo();
  await pointer.fill(field, 'https://youtu.be/abcdefghijk');
  await pointer.tab();
  expect(await screen.findByText('Löytyi: Sauna')).toBeVisible();
  expect(sent).toEqual([{ video_url: 'https://www.youtube.com/watch?v=abcdefghijk' }]);
  expect(act).toHaveBeenCalled();
});

test.each([
  ['video_not_found', 404, /Videota ei löydy/],
  ['video_not_embeddable', 409, /omistaja ei salli/],
  ['video_fetch_failed', 502, /Videopalvelu ei vastannut/],
])('%s is shown at the field, nothing is saved, and the address stays', async (status, code, text) => {
  server.use(http.post(lookup, () => refusal(status, code)));
  const { pointer, field, unmount, act } = await startVideo();
  await pointer.fill(field, 'https://youtu.be/abcdefghijk');
  await pointer.tab();
  expect(await screen.findByText(text)).toBeVisible();
  expect(act).not.toHaveBeenCalled();
  unmount();
  const again = await startVideo();
  expect(again.field).toHaveValue('https://youtu.be/abcdefghijk');
});

test('an empty address removes the video without a lookup', async () => {
  const sent: unknown[] = [];
  server.use(
    http.patch(settings, async ({ request }) => {
      sent.push(await request.json());
      return HttpResponse.json({ settings: {}, version: 2 });
    }),
  );
  const { pointer, field } = await startVideo('https://vimeo.com/1');
  await pointer.clear(field);
  await pointer.tab();
  await waitFor(() => expect(sent).toEqual([{ video_url: '' }]));
});

test('the cover’s alt text is saved in its language, and stays if that fails', async () => {
  server.use(http.patch(content('/campaigns/3/language/'), () => refusal('internal_error', 500)));
  const { pointer } = await renderPart(
    <CoverEditor admin={aCampaignAdmin()} userId={7} language="sv" shown="hoyry.svg" act={sendAtOnce} />,
    { user: aUser() },
  );
  const field = screen.getByRole('textbox', { name: 'Mitä kansikuvassa on' });
  await pointer.fill(field, 'En bastuflotte');
  await pointer.tab();
  await waitFor(() => expect(field).toBeInvalid());
  expect(field).toHaveValue('En bastuflotte');
  const sent: unknown[] = [];
  server.use(
    http.patch(content('/campaigns/3/language/'), async ({ request }) => {
      sent.push(await request.json());
      return HttpResponse.json({ texts: {}, version: 2 });
    }),
  );
  await pointer.click(field);
  await pointer.tab();
  expect(await screen.findByText('Tallennettu')).toBeVisible();
  expect(sent).toEqual([{ sv: { project_pic_alt: 'En bastuflotte' } }]);
});
