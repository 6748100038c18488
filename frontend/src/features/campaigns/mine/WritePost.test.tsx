import { screen, waitFor } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { aPostPreview, aPreview, aUser, inDays } from '../../../../test/builders';
import { renderAt } from '../../../../test/render';
import { content, refusal, server } from '../../../../test/server';
import type { PostPreview } from '../../../api/editing';
import { paths } from '../../../domain/paths';

jest.setTimeout(30_000);

const work = { review: 'none' as const, done: 9, of: 9, updated_at: inDays(-1), payment_account: true };
const campaign = aPreview({ campaign_id: 8, slug: 'sauna', stage: 2, funding_deadline: inDays(9), work });
const editor = (postId: number) => paths.editPost('fi', { id: 8, slug: 'sauna', title: '' }, postId);

/** Serves an own campaign with these posts. A new post gets the id 31; `count` is how many were created. */
function serveCampaign(previews: PostPreview[]) {
  const made = { count: 0 };
  server.use(
    http.get(content('/campaigns/mycampaigns/preview/fi/'), () =>
      HttpResponse.json({ previews: [campaign] }),
    ),
    http.get(content('/campaigns/8/posts/preview/'), () => HttpResponse.json({ previews })),
    http.post(content('/campaigns/8/posts/'), () => {
      made.count += 1;
      return HttpResponse.json({ post: { id: 31 } }, { status: 201 });
    }),
    // The editor that opens afterwards is not under test.
    http.get(content('/campaigns/8/posts/:id/admin/'), () => refusal('not_found', 404)),
    http.get(content('/campaigns/8/:language/'), () => refusal('not_found', 404)),
  );
  return made;
}

const press = async ({ pointer }: Awaited<ReturnType<typeof renderAt>>) =>
  pointer.click(await screen.findByRole('button', { name: 'Kirjoita päivitys' }));

test.each<[string, PostPreview[]]>([
  ['none is there', []],
  ['all are published', [aPostPreview({ id: 5 })]],
  [
    'a draft has something',
    [aPostPreview({ id: 5, status: 'draft', published_at: undefined, is_empty: false })],
  ],
  [
    'a draft has only a picture',
    [
      aPostPreview({
        id: 5,
        status: 'draft',
        published_at: undefined,
        title: '',
        intro: '',
        is_empty: false,
      }),
    ],
  ],
  ['one was taken back', [aPostPreview({ id: 5, status: 'draft', is_empty: true })]],
])('writing an update when %s creates a draft and opens it', async (_, previews) => {
  const made = serveCampaign(previews);
  const page = await renderAt('/my-campaigns/', { user: aUser() });
  await press(page);
  await waitFor(() => expect(page.router.state.location.pathname).toBe(editor(31)));
  expect(made.count).toBe(1);
});

test('an empty draft that was never published is opened, and no other is created', async () => {
  const made = serveCampaign([
    aPostPreview({ id: 5, status: 'draft', published_at: undefined, is_empty: false }),
    aPostPreview({ id: 6, status: 'draft', published_at: undefined, title: '', intro: '', is_empty: true }),
  ]);
  const page = await renderAt('/my-campaigns/', { user: aUser() });
  await press(page);
  await waitFor(() => expect(page.router.state.location.pathname).toBe(editor(6)));
  expect(made.count).toBe(0);
});

test('a failure is shown, and the page stays', async () => {
  serveCampaign([]);
  server.use(http.post(content('/campaigns/8/posts/'), () => refusal('unavailable', 503)));
  const page = await renderAt('/my-campaigns/', { user: aUser() });
  await press(page);
  expect(await screen.findByRole('alert')).toHaveTextContent(/./);
  expect(page.router.state.location.pathname).toBe(paths.myCampaigns('fi'));
});
