import { http, HttpResponse } from 'msw';
import type { PostAdmin, PostChange } from '../src/api/editing';
import { aCampaign } from './builders';
import { content, refusal, server } from './server';

/** A paragraph of a document. */
export const paragraph = (words: string) => ({ type: 'paragraph', content: [{ type: 'text', text: words }] });

/** A draft of an update with a title and a text in Finnish. */
export function aPostAdmin(overrides: Partial<PostAdmin> = {}): PostAdmin {
  return {
    id: 4,
    campaign_id: 3,
    number: 5,
    status: 'draft',
    language: 'fi',
    meta: { level: 1 },
    author: 'Reijo Virta',
    version: 3,
    updated_at: '2026-11-20T10:00:00Z',
    texts: {
      fi: {
        title: 'Kiuas on valittu',
        json: { type: 'doc', content: [paragraph('Vaihtoehtoja oli kolme.'), paragraph('Tässä ne.')] },
        updated_at: '2026-11-20T10:00:00Z',
      },
    },
    letters: { total: 187, by_language: { fi: 179, sv: 8 }, declined: 27, undelivered: 0 },
    readers: [
      { level: 1, readers: 214 },
      { level: 120, readers: 96 },
    ],
    ...overrides,
  };
}

/** Fakes the server for editing one post: applies the changes and records them in `sent`. */
export function servePost(first: PostAdmin = aPostAdmin()) {
  const state = {
    post: first,
    sent: [] as { change: PostChange; upon: string | null }[],
    refuse: 0,
    asked: 0,
  };
  server.use(
    http.get(content('/campaigns/3/fi/'), () => HttpResponse.json({ campaign: aCampaign(), acl: ['edit'] })),
    http.get(content('/campaigns/3/posts/4/admin/'), () => HttpResponse.json({ post: state.post })),
    http.get(content('/campaigns/3/history/'), () =>
      HttpResponse.json({
        changes: [
          {
            id: 1,
            at: '2026-11-20T11:07:00Z',
            by: { user_id: 12, name: 'Tuomo', actor: 'user' },
            action: 'change_post',
            entity: 'post',
            entity_id: 4,
            fields: [],
          },
        ],
        total: 1,
      }),
    ),
    http.patch(content('/campaigns/3/posts/4/'), async ({ request }) => {
      const change = (await request.json()) as PostChange;
      state.asked += 1;
      if (state.refuse) return refusal(state.refuse === 401 ? 'token_expired' : 'unavailable', state.refuse);
      const upon = request.headers.get('If-Match');
      if (upon !== `"${state.post.version}"`) return refusal('changed_meanwhile', 412);
      state.sent.push({ change, upon });
      const { post } = state;
      state.post = {
        ...post,
        version: post.version + 1,
        status: change.status ?? post.status,
        meta: change.meta ?? post.meta,
        texts:
          change.language && change.content
            ? {
                ...post.texts,
                [change.language]: {
                  title: change.content.title ?? '',
                  json: change.content.json!,
                  updated_at: post.updated_at,
                },
              }
            : post.texts,
      };
      return HttpResponse.json({ post: state.post });
    }),
  );
  return state;
}
