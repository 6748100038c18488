import { http, HttpResponse } from 'msw';
import type { PersonAdmin, Profile, PublicProfile, UserPreview } from '../src/api/people';
import { content, server } from './server';

/** Somebody in the index. */
export function aPerson(overrides: Partial<UserPreview> = {}): UserPreview {
  return {
    user_id: 9,
    first_name: 'Áile',
    last_name: 'Näkkäläjärvi',
    short_description: 'Kirjoitan lauluja muistiin.',
    language: 'fi',
    image: '/media/{width}x{height}/aile.svg',
    image_filename: 'aile.svg',
    verified: true,
    links: [],
    tags: [{ id: 3, label: 'joiku' }],
    counts: { campaigns: 2, experiments: 1 },
    ...overrides,
  };
}

/** The public page of the same person. */
export function aPublicProfile(overrides: Partial<PublicProfile> = {}): PublicProfile {
  return {
    user_id: 9,
    first_name: 'Áile',
    last_name: 'Näkkäläjärvi',
    short_description: 'Kirjoitan lauluja muistiin.',
    long_description: '',
    language: 'fi',
    image_collection: { profile: { filename: 'aile.svg', url: '' } },
    tags: [{ id: 3, label: 'joiku' }],
    links: [{ url: 'https://instagram.com/njuolla', title: '' }],
    skills: ['Yoik'],
    settings: { verified: true },
    campaigns: [],
    experiments: [],
    posts: [],
    counts: { campaigns: 0, experiments: 0 },
    joined_at: '2025-03-01T10:00:00Z',
    ...overrides,
  };
}

/** The profile of the tests' user. */
export function anOwnProfile(overrides: Partial<Profile> = {}): Profile {
  return {
    user_id: 7,
    first_name: 'Leena',
    last_name: 'Hakkarainen',
    email: 'leena@example.fi',
    short_description: 'Eläkkeellä postista.',
    long_description: '',
    image_collection: { profile: { filename: 'avatar-7.svg', url: '' } },
    tags: [],
    links: [{ url: 'https://posti.example.fi', title: 'Posti' }],
    skills: ['Kutominen'],
    scope: ['view'],
    settings: {
      verified: false,
      email_confirmed: true,
      language: 'fi',
      mail: { letters: true },
      show_backed: false,
    },
    meta: { phone: '' },
    experiments: [],
    subscription_created: 0,
    mangopay_created: 0,
    stripe_created: 0,
    joined_at: '2025-03-01T10:00:00Z',
    version: 1,
    ...overrides,
  };
}

/** An account as admins see it. */
export function anAccount(overrides: Partial<PersonAdmin> = {}): PersonAdmin {
  return {
    user_id: 12,
    first_name: 'Bo',
    last_name: 'Berg',
    email: 'bo@example.fi',
    open_campaigns: 0,
    held_campaigns: [],
    short_description: '',
    image_filename: 'avatar-12.svg',
    settings: { verified: false, email_confirmed: true },
    scope: ['view'],
    campaigns: 1,
    experiments: 0,
    joined_at: '2026-03-01T10:00:00Z',
    version: 4,
    ...overrides,
  };
}

/** Serves one's own profile, and keeps what is changed of it: method, path and body of each call. */
export function serveOwnProfile(profile: Profile = anOwnProfile()) {
  const calls: { path: string; body: unknown }[] = [];
  const change = async ({ request }: { request: Request }) => {
    const body = (await request.json()) as object;
    calls.push({ path: new URL(request.url).pathname.replace('/content', ''), body });
    const changed = 'skills' in body || 'first_name' in body ? body : {};
    return HttpResponse.json({
      profile: { ...profile, ...changed, version: profile.version + calls.length },
    });
  };
  server.use(
    http.get(content('/users/me/profile'), () => HttpResponse.json({ profile })),
    http.get(content('/campaigns/tags/'), () =>
      HttpResponse.json({
        tags: [
          { id: 3, label: 'joiku' },
          { id: 4, label: 'villa' },
        ],
      }),
    ),
    http.patch(content('/users/me/profile'), change),
    http.patch(content('/users/me/profile/image_collection'), change),
    http.patch(content('/users/me/settings/'), change),
    http.post(content('/users/me/:list/'), change),
  );
  return calls;
}
