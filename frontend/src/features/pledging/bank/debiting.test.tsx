import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse } from 'msw';
import { aUser } from '../../../../test/builders';
import { aFakeProvider } from '../../../../test/cardForm';
import { config, fillIn, put, serve } from '../../../../test/checkout';
import { aMethod, anAccount, serveB, serveMethods } from '../../../../test/providerB';
import { renderAt, type RenderOptions } from '../../../../test/render';
import { refusal } from '../../../../test/server';
import { noPageData } from '../../../api/pageData';

// Whole pages with long forms are slow on a busy machine.
jest.setTimeout(60_000);
aFakeProvider();

/** Opens the checkout with the debit chosen. */
async function openBank(options: RenderOptions = {}) {
  const app = await renderAt('/3/hoyry/pledge/4', { page: { ...noPageData(), config }, ...options });
  await app.pointer.click(await screen.findByRole('radio', { name: /^Suoraveloitus tililtä/ }));
  return app;
}
type App = Awaited<ReturnType<typeof openBank>>;

async function typeAccount(app: App, iban = 'fi2112345600000785') {
  const owner = screen.getByLabelText('Tilin omistaja');
  await app.pointer.clear(owner);
  await app.pointer.fill(owner, 'Leena Hakkarainen');
  await put(app, 'Tilinumero (IBAN)', iban);
  await put(app, 'Katuosoite', 'Opintie 14 B 3');
  await put(app, 'Postinumero', '72400');
  await put(app, 'Postitoimipaikka', 'Pielavesi');
}

const confirm = () => screen.getByRole('button', { name: /^Vahvista 10,00/ });

test('a guest types an account at once; it is told when it is debited, and its bank’s page is opened', async () => {
  const { pledges } = serve();
  serveMethods({});
  const sent = serveB();
  const app = await openBank();
  await fillIn(app);
  // A guest has no accounts to choose from.
  expect(screen.queryByRole('radio', { name: /^Uusi tili/ })).toBeNull();
  await typeAccount(app);
  expect(screen.getByLabelText('Tilinumero (IBAN)')).toHaveValue('FI21 1234 5600 0007 85');
  expect(screen.getByText('Nordea')).toBeVisible();
  expect(screen.getByText('Veloitetaan tililtä')).toBeVisible();
  expect(screen.getByText('24.–27.11., ei tänään')).toBeVisible();
  expect(screen.getByText(/^24\.–27\.11\. tililtäsi lähtee 10,00/)).toBeVisible();
  await app.pointer.click(confirm());
  expect(await screen.findByText(/Siirryt pankkisi sivulle/)).toBeVisible();
  expect(window.location.hash).toBe('#bank');
  expect(pledges).toHaveLength(1);
  expect(sent.of('create-bank-account')[0]).toEqual({
    pledgeId: '01JD0000000000000000000000',
    OwnerName: 'Leena Hakkarainen',
    OwnerAddress: { AddressLine1: 'Opintie 14 B 3', City: 'Pielavesi', PostalCode: '72400', Country: 'FI' },
    IBAN: 'FI2112345600000785',
  });
  expect(sent.of('create-mandate')[0]).toEqual({
    pledgeId: '01JD0000000000000000000000',
    bankAccountId: 'acc_1',
    language: 'fi',
    returnURL: 'http://localhost:8080/payment-return/?pledge=01JD0000000000000000000000&debit=2026-11-20',
  });
  expect(sent.of('payin-direct-debit')).toEqual([]);
  // Its number is not kept on the device.
  expect(
    JSON.stringify([Object.entries(window.sessionStorage), Object.entries(window.localStorage)]),
  ).not.toMatch(/FI21|0785/);
  window.location.hash = '';
});

test.each([
  ['FI21 1234 5600 0007 58', /tarkiste ei täsmää/],
  ['US64 SVBK US6S 3300 9586 73', /ei toimi tässä maassa/],
])('%s is told to be wrong while it is typed, and is not sent', async (iban, says) => {
  const { pledges } = serve();
  serveMethods({});
  const app = await openBank({ user: aUser() });
  await typeAccount(app, iban);
  expect(screen.getByLabelText('Tilinumero (IBAN)')).toHaveAccessibleDescription(says);
  await waitFor(() => expect(confirm()).toBeEnabled());
  await app.pointer.click(confirm());
  await waitFor(() => expect(screen.getByLabelText('Tilinumero (IBAN)')).toHaveFocus());
  expect(pledges).toHaveLength(0);
});

test('a number that only the service finds wrong is said at its field', async () => {
  serve();
  serveMethods({});
  serveB({
    'create-bank-account': () =>
      refusal('invalid_fields', 422, { fields: [{ path: 'IBAN', rule: 'regex', message: '' }] }),
  });
  const app = await openBank({ user: aUser() });
  await typeAccount(app);
  await app.pointer.click(confirm());
  await waitFor(() => expect(screen.getByLabelText('Tilinumero (IBAN)')).toBeInvalid());
});

test('who has accounts from before goes on to them, chooses one, and its mandate is used at once', async () => {
  const { pledges } = serve();
  serveMethods({});
  const accounts = [
    anAccount({ has_mandate: true }),
    anAccount({ Id: 'acc_2', OwnerName: 'Hakkarainen Leena ja Esa', Details: { IBAN: 'FI•• 3307' } }),
  ];
  const sent = serveB({
    'get-bank-accounts': { bankAccounts: accounts },
    'create-mandate': { mandate: { Id: 'mdt_9', Status: 'ACTIVE' } },
  });
  const { pointer, router } = await openBank({ user: aUser() });
  await pointer.click(screen.getByRole('radio', { name: /^Aiemmin käyttämäsi tili/ }));
  const next = screen.getByRole('button', { name: 'Jatka tilin valintaan' });
  await waitFor(() => expect(next).toBeEnabled());
  await pointer.click(next);
  expect(await screen.findByText('Valitse tili, jolta veloitetaan.')).toBeVisible();
  const rows = within(await screen.findByRole('group', { name: 'Tili' }));
  rows.getAllByRole('radio').forEach((radio) => expect(radio).not.toBeChecked());
  expect(rows.getByText('Valtuutus on jo')).toBeVisible();
  await pointer.click(rows.getByRole('radio', { name: /^Leena Hakkarainen/ }));
  const pay = screen.getByRole('button', { name: /^Maksa 10,00/ });
  await waitFor(() => expect(pay).toBeEnabled());
  await pointer.click(pay);
  await waitFor(() => expect(router.state.location.pathname).toBe('/payment-return/'));
  expect(router.state.location.search).toBe('?pledge=01JD0000000000000000000000&debit=2026-11-20');
  expect(sent.of('create-mandate')).toEqual([expect.objectContaining({ bankAccountId: 'acc_1' })]);
  expect(sent.of('payin-direct-debit')).toEqual([
    { pledgeId: '01JD0000000000000000000000', mandateId: 'mdt_9' },
  ]);
  expect(sent.of('create-bank-account')).toEqual([]);
  expect(new Set(pledges.map(({ key }) => key)).size).toBe(1);
});

test('who has none from before types one', async () => {
  serve();
  serveMethods({});
  serveB();
  const { pointer } = await openBank({ user: aUser() });
  await pointer.click(screen.getByRole('radio', { name: /^Aiemmin käyttämäsi tili/ }));
  const next = screen.getByRole('button', { name: 'Jatka tilin valintaan' });
  await waitFor(() => expect(next).toBeEnabled());
  await pointer.click(next);
  expect(await screen.findByText(/ei ole tallessa tiliä/)).toBeVisible();
  expect(screen.getByLabelText('Tilinumero (IBAN)')).toBeVisible();
});

test('the payer is asked for only where the provider needs it, and goes with the pledge', async () => {
  const { pledges } = serve();
  serveMethods({ methods: [aMethod('card'), aMethod('bank', { needs_payer: true })] });
  serveB();
  const app = await openBank({ user: aUser() });
  const birthdate = screen.getByLabelText('Syntymäaika');
  await typeAccount(app);
  await waitFor(() => expect(confirm()).toBeEnabled());
  await app.pointer.click(confirm());
  await waitFor(() => expect(birthdate).toHaveFocus());
  expect(pledges).toHaveLength(0);
  await app.pointer.type(birthdate, '1981-03-14');
  await app.pointer.selectOptions(screen.getByLabelText('Kansalaisuus'), 'EE');
  await app.pointer.click(confirm());
  await screen.findByText(/Siirryt pankkisi sivulle/);
  expect(pledges[0]?.body.pledge_meta).toMatchObject({
    birthdate: '1981-03-14',
    nationality: 'EE',
    residence_country: 'FI',
  });
  await app.pointer.click(screen.getByRole('radio', { name: /^Kortti/ }));
  expect(screen.queryByLabelText('Syntymäaika')).toBeNull();
  window.location.hash = '';
});

test('a mandate whose answer is lost is unknown', async () => {
  serve();
  serveMethods({});
  serveB({ 'create-mandate': () => HttpResponse.error() });
  const app = await openBank({ user: aUser() });
  await typeAccount(app);
  await app.pointer.click(confirm());
  // No bank has been asked: the payment is open, and can be begun again.
  expect((await screen.findAllByText(/Mitään ei veloitettu/, {}, { timeout: 10_000 }))[0]).toBeVisible();
  expect(screen.getByLabelText('Tilinumero (IBAN)')).toHaveValue('FI21 1234 5600 0007 85');
});
