import { screen, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { aReward, aUser } from '../../../../test/builders';
import { aCampaignAdmin, serveEditing, someTexts } from '../../../../test/campaignAdmin';
import { installEditor } from '../../../../test/editor';
import { renderAt } from '../../../../test/render';
import { aReview } from '../../../../test/review';
import { content, server } from '../../../../test/server';
import type { CampaignAdmin, ChecklistItem } from '../../../api/editing';

installEditor();
beforeAll(() => {
  Element.prototype.scrollIntoView = () => undefined;
});

/** The edit page of a draft with this checklist and two rewards, the second with a picture. */
async function open(checklist: ChecklistItem[], draft: Partial<CampaignAdmin> = {}) {
  serveEditing(aCampaignAdmin({ review: aReview({ checklist }), ...draft }));
  server.use(
    http.get(content('/campaigns/3/rewards/fi/'), () =>
      HttpResponse.json({
        rewards: [aReward({ amount: 5, title: 'Kiitos' }), aReward({ reward_id: 6, image: 'iltavuoro.jpg' })],
      }),
    ),
  );
  return renderAt('/3/hoyry/edit/', { user: aUser() });
}
const list = async () => within(await screen.findByRole('region', { name: 'Ennen tarkistusta' }));

test('how much of the story is missing is said in words', async () => {
  await open([{ key: 'story', done: false, needed: true, have: 120, of: 300 }]);
  expect((await list()).getByText('vähintään 300 merkkiä, puuttuu 180')).toBeVisible();
});

test('the number of pictures without alt text is said in words; a completed item has no number', async () => {
  await open([
    { key: 'story', done: true, needed: true, have: 300, of: 300 },
    { key: 'alt_texts', done: false, needed: false, have: 1, of: 3 },
  ]);
  expect((await list()).getByText('2 kuvaa ilman kuvausta')).toBeVisible();
  expect((await list()).queryByText(/merkkiä/)).not.toBeInTheDocument();
});

test('if cover and story have alt texts, the item for alt texts focuses the reward with a picture', async () => {
  const texts = { fi: someTexts({ project_pic_alt: 'Lautta' }) };
  const missing = { key: 'alt_texts', done: false, needed: false, have: 1, of: 2 } as const;

  const { pointer } = await open([missing], { texts });
  expect(await screen.findByRole('button', { name: 'Muokkaa: Iltavuoro kahdelle' })).toBeVisible();
  await pointer.click((await list()).getByRole('button', { name: 'Kirjoita' }));
  expect(screen.getByRole('button', { name: 'Muokkaa: Iltavuoro kahdelle' })).toHaveFocus();
});

test('a date is written out below its field, because browsers show it in different formats', async () => {
  await open([], { settings: { contact_email: 'a@example.fi', first_day_of_funding: '2027-01-02' } });
  expect(await screen.findByLabelText('Alkaa')).toHaveAccessibleDescription('la 2. tammikuuta 2027');
  expect(screen.getByLabelText('Päättyy')).toHaveAccessibleDescription('');
});
