import { act, screen, waitFor, within } from '@testing-library/react';
import { aCampaign, aUser } from '../../../../test/builders';
import { serveCampaign } from '../../../../test/campaigns';
import { aFakeProvider } from '../../../../test/cardForm';
import { config, fullReward, plainReward, put, serve, soldOutReward } from '../../../../test/checkout';
import { aKeptCard, aMethod, serveMethods } from '../../../../test/providerB';
import { renderAt, type RenderOptions } from '../../../../test/render';
import { noPageData } from '../../../api/pageData';

// Whole pages with long forms are slow on a busy machine.
jest.setTimeout(60_000);

const provider = aFakeProvider();
const openAt = (address: string, options: RenderOptions = {}) => {
  serveCampaign(aCampaign(), [plainReward, fullReward, soldOutReward]);
  return renderAt(address, { page: { ...noPageData(), config }, ...options });
};
const dialog = () => screen.findByRole('dialog', { name: 'Tue pikaisesti' }, { timeout: 20_000 });
const leena = aUser({ first_name: 'Leena', last_name: 'Hakkarainen', email: 'leena@example.fi' });
const stripe = { provider: 'stripe' } as const;

test('a kept card pays an amount over the campaign’s page, and the thanks page follows', async () => {
  const sent = serve();
  const [card, page] = [aMethod('card', stripe), aMethod('page', stripe)];
  serveMethods({ methods: [card, page], saved_cards: [aKeptCard({ card_id: 'pm_1', ...stripe })] });
  const { pointer, router } = await openAt('/3/hoyry/#pledge', { user: leena });
  const inside = within(await dialog());
  const kept = await inside.findByRole('radio', { name: /^Visa/ });
  await waitFor(() => expect(kept).toBeChecked());
  // The rest is there when it is asked for.
  expect(inside.queryByRole('radio', { name: /^Maksusivu/ })).toBeNull();
  inside.getAllByRole('radio', { name: /€/ }).forEach((sum) => expect(sum).not.toBeChecked());
  await pointer.click(inside.getByRole('radio', { name: /^25/ }));
  await pointer.click(await inside.findByRole('button', { name: /^Maksa 25/ }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/3/hoyry/thanks/'), { timeout: 20_000 });
  expect(sent.pledges).toHaveLength(1);
  expect(sent.pledges[0]?.body).toMatchObject({ amount: 25, reward_id: null });
  expect(provider.confirmed).toHaveLength(1);
});

test('what is typed is on the pledge page, too; only secrets are asked about before it closes', async () => {
  serve();
  serveMethods({ methods: [aMethod('card'), aMethod('bank')] });
  const app = await openAt('/3/hoyry/#pledge');
  const { pointer, router } = app;
  const inside = within(await dialog());
  await put(app, 'Etunimi', 'Leena');
  await pointer.click(await inside.findByRole('radio', { name: /^Suoraveloitus/ }));
  await put(app, 'Tilinumero (IBAN)', 'FI21 1234 5600 0007 85');
  await pointer.keyboard('{Escape}');
  const question = await screen.findByRole('dialog', { name: 'Suljetaanko tuki?' });
  await pointer.click(within(question).getByRole('button', { name: 'Jatka' }));
  expect(router.state.location.hash).toBe('#pledge');
  await pointer.click(inside.getByRole('link', { name: /Valitse 3 vastikkeesta/ }));
  const again = await screen.findByRole('dialog', { name: 'Suljetaanko tuki?' });
  await pointer.click(within(again).getByText('Sulje'));
  expect(await screen.findByRole('heading', { level: 1, name: 'Lähde mukaan' })).toBeVisible();
  expect(screen.getByLabelText('Etunimi')).toHaveValue('Leena');
  expect(screen.getByRole('radio', { name: /^Ilman vastiketta/ })).toBeChecked();
});

test('the browser’s back button closes it, and the focus is where it was', async () => {
  serve();
  serveMethods({});
  const { pointer, router } = await openAt('/3/hoyry/');
  const opener = await screen.findByRole('link', { name: 'Tue ilman vastiketta' });
  await pointer.click(opener);
  await dialog();
  await act(() => router.navigate(-1));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(router.state.location).toMatchObject({ pathname: '/3/hoyry/', hash: '' });
  await waitFor(() => expect(opener).toHaveFocus());
});
