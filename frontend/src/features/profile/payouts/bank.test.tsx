import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { aBank, aPayee, openPayouts, partner, servePayees } from '../../../../test/payees';
import { content, payments, refusal, server } from '../../../../test/server';
import { leaveFor } from '../../../ui/leaveFor';

jest.mock('../../../ui/leaveFor');

beforeEach(() => jest.mocked(leaveFor).mockReset());

type Page = Awaited<ReturnType<typeof openPayouts>>;

const call = payments('/api/users/mangopay/payout-banks');
const back = 'http://localhost:8080/en/profile/me/payouts/?back=1';
const section = () => screen.findByRole('region', { name: 'Your bank account' });

async function fill({ pointer }: Page, iban = 'FI21 1234 5600 0007 85') {
  await pointer.fill(await screen.findByLabelText('Account number (IBAN)'), iban);
  await pointer.fill(screen.getByLabelText('Street address'), 'Rantatie 1');
  await pointer.fill(screen.getByLabelText('Postcode'), '99870');
  await pointer.fill(screen.getByLabelText('Town'), 'Inari');
}

const send = ({ pointer }: Page) =>
  pointer.click(screen.getByRole('button', { name: 'Confirm at the provider' }));

const order = {
  IBAN: 'FI2112345600000785',
  first_name: 'Leena',
  last_name: 'Hakkarainen',
  address: { AddressLine1: 'Rantatie 1', PostalCode: '99870', City: 'Inari', Country: 'FI' },
  return_url: back,
};

test('who has none is asked for it, shows that it is them when that is wanted, and confirms it at the partner', async () => {
  const served = servePayees(aPayee());
  server.use(
    http.post(call, () => refusal('confirmation_required', 403), { once: true }),
    http.get(content('/users/me/security/'), () =>
      HttpResponse.json({ has_password: true, email_confirmed: true, passkeys: [], backup_codes_left: 0 }),
    ),
    http.post(content('/users/me/confirmations/'), () => new HttpResponse(null, { status: 204 })),
  );
  const page = await openPayouts();
  expect(await screen.findByText(/Give a bank account, too/)).toBeVisible();
  await fill(page);
  await send(page);
  await page.pointer.fill(await screen.findByLabelText('Password'), 'seven grey stones{Enter}');
  await waitFor(() => expect(leaveFor).toHaveBeenCalledWith(partner));
  expect(served.sent).toEqual([order]);
});

test('what the partner asks for in the account’s country is asked for', async () => {
  servePayees(aPayee());
  const page = await openPayouts();
  await screen.findByLabelText('Account number (IBAN)');
  expect(screen.queryByLabelText('Region')).toBeNull();
  await fill(page, 'EE38 2200 2210 2014 5685');
  await screen.findByLabelText('Region');
  await send(page);
  expect(await screen.findByLabelText('Region')).toHaveAccessibleDescription('This is needed.');
});

test('a wrong number is said at the field, and what the partner refuses above the button', async () => {
  servePayees(aPayee());
  server.use(http.post(call, () => refusal('payee_refused', 422)));
  const page = await openPayouts();
  await fill(page, 'FI21 1234 5600 0007 58');
  await send(page);
  expect(screen.getByLabelText('Account number (IBAN)')).toHaveAccessibleDescription(/typing mistake/);
  fireEvent.change(screen.getByLabelText('Account number (IBAN)'), { target: { value: order.IBAN } });
  await send(page);
  expect(await screen.findByRole('alert')).toHaveTextContent('did not accept these details');
  expect(screen.getByLabelText('Town')).toHaveValue('Inari');
});

test('an answer that did not come is not told as a refusal: it is asked what came of it', async () => {
  const served = servePayees(aPayee());
  server.use(
    http.post(call, () => {
      served.payees = [aPayee({ banks: [aBank({ state: 'asking', pays_from: undefined })] })];
      return refusal('provider_unavailable', 503);
    }),
  );
  const page = await openPayouts();
  await fill(page);
  await send(page);
  expect(await screen.findByText(/We are asking whether it has the account/)).toBeVisible();
  expect(screen.queryByRole('form', { name: 'Your bank account' })).toBeNull();
  served.payees = [aPayee({ banks: [aBank({ state: 'pending', pays_from: undefined })] })];
  await page.pointer.click(await screen.findByRole('button', { name: 'Confirm the account' }));
  await waitFor(() => expect(leaveFor).toHaveBeenCalledWith(partner));
});

test.each([
  [{}, /Payouts come to this account/, /knows the account by the name you gave/, 'In use'],
  [{ name_check: 'no_match' as const }, /Payouts come/, /does not know the account/, 'In use'],
  [
    { pays_from: '2099-01-01T10:00:00Z' },
    /nothing is paid out to a changed account before/,
    /knows/,
    'In use soon',
  ],
  [{ has_failed: true }, /The last payout did not arrive/, /knows/, 'Payout came back'],
])('an account that is %j', async (is, text, name, chip) => {
  servePayees(aPayee({ banks: [aBank(is)] }));
  await openPayouts();
  const part = within(await section());
  expect(part.getByRole('heading', { name: 'FI ···· 0785' })).toBeVisible();
  expect(part.getByText(text)).toBeVisible();
  expect(part.getByText(name)).toBeVisible();
  expect(part.getByText(chip)).toBeVisible();
});

test('one that was not confirmed is said, and the one before stays in use', async () => {
  servePayees(
    aPayee({
      banks: [aBank({ bank_id: 'b', last_four: '8730', state: 'canceled', pays_from: undefined }), aBank()],
    }),
  );
  const { pointer } = await openPayouts();
  const part = within(await section());
  expect(part.getByText('The account FI ···· 8730 was not confirmed. You can give it again.')).toBeVisible();
  expect(part.getByText('Payouts come to this account.')).toBeVisible();
  await pointer.click(part.getByRole('button', { name: 'Change account' }));
  expect(part.getByLabelText('Account number (IBAN)')).toBeVisible();
  await pointer.click(part.getByRole('button', { name: 'Keep this one' }));
  expect(part.queryByLabelText('Account number (IBAN)')).toBeNull();
});

test('it is removed after a question', async () => {
  const served = servePayees(aPayee({ banks: [aBank()] }));
  const { pointer } = await openPayouts();
  await pointer.click(within(await section()).getByRole('button', { name: 'Remove' }));
  served.payees = [aPayee({ banks: [aBank({ state: 'ended', pays_from: undefined })] })];
  await pointer.click(await screen.findByRole('button', { name: 'Remove the account' }));
  expect(await screen.findByText(/is no longer in use/)).toBeVisible();
  expect(served.sent).toEqual([{ end: aBank().bank_id }]);
});

test('the account that one has given provider A is shown, and changed there by who has shown that it is them', async () => {
  servePayees(
    aPayee({
      provider: 'stripe',
      account_id: 'acct_1',
      banks: [aBank({ country: 'DE', last_four: '3000', has_failed: true })],
    }),
  );
  const asked: string[] = [];
  server.use(
    http.post(payments('/api/users/stripe/onboard/acct_1/dashboard'), ({ request }) => {
      asked.push(new URL(request.url).pathname);
      return HttpResponse.json({ stripeAccountLink: { url: partner } });
    }),
  );
  const page = await openPayouts();
  const bank = await screen.findByRole('region', { name: 'Your bank account at the partner' });
  expect(within(bank).getByText('DE ···· 3000')).toBeVisible();
  expect(within(bank).getByText(/The last payout did not arrive/)).toBeVisible();
  expect(screen.queryByLabelText('Account number (IBAN)')).toBeNull();
  await page.pointer.click(within(bank).getByRole('button', { name: 'Change it at the partner' }));
  await waitFor(() => expect(leaveFor).toHaveBeenCalledWith(partner));
  expect(asked).toHaveLength(1);
});
