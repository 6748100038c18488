import { screen, waitFor, within } from '@testing-library/react';
import { http } from 'msw';
import { aUser } from '../../../../test/builders';
import { aBank, aPayee, aPayeeAtA, openPayouts, partner, servePayees } from '../../../../test/payees';
import { renderAt } from '../../../../test/render';
import { payments, refusal, server } from '../../../../test/server';
import type { Payee } from '../../../api/payees';
import { leaveFor } from '../../../ui/leaveFor';

jest.mock('../../../ui/leaveFor');

beforeEach(() => jest.mocked(leaveFor).mockReset());

const addresses = (prefix: string) => ({
  returnUrl: `http://localhost:8080${prefix}/profile/me/stripe-onboard/return/`,
  refreshUrl: `http://localhost:8080${prefix}/profile/me/stripe-onboard/refresh/`,
});
const region = (name: string) => screen.findByRole('region', { name });

test('who has no account says the country and what they are, and goes on at the partner', async () => {
  const served = servePayees();
  const { pointer } = await openPayouts();
  const form = await screen.findByRole('form', { name: 'Who is paid?' });
  const countries = within(form).getAllByRole('option');
  expect(countries[0]).toHaveTextContent('Finland');
  expect(countries).toHaveLength(31);
  await pointer.selectOptions(within(form).getByLabelText('Country'), 'SE');
  await pointer.click(within(form).getByRole('radio', { name: 'An association or cooperative' }));
  await pointer.click(within(form).getByRole('button', { name: 'Continue to the partner' }));
  await waitFor(() => expect(leaveFor).toHaveBeenCalledWith(partner));
  expect(served.sent).toEqual([
    { account: { country: 'SE', type: 'non_profit', url: 'http://localhost:8080/en/profile/7/' } },
    { link: 'acct_1', account: addresses('/en') },
  ]);
});

test('an account that cannot be opened says why, and the form stays', async () => {
  servePayees();
  server.use(http.post(payments('/api/users/stripe/onboard'), () => refusal('configuration_error', 503)));
  const { pointer } = await openPayouts();
  await pointer.click(await screen.findByRole('button', { name: 'Continue to the partner' }));
  expect(await screen.findByRole('alert')).toHaveTextContent(
    /^Accounts cannot be opened or verified just now/,
  );
  expect(leaveFor).not.toHaveBeenCalled();
});

test.each<[string, Partial<Payee>, string, string, string]>([
  ['ready', {}, 'Can be paid', 'You can be paid.', 'comes to this account after they have ended'],
  [
    'restricted',
    { state: 'restricted', needs: [{ code: 'bank' }] },
    'Needs you',
    'Payouts to you wait until what is missing is in order.',
    'stay open and can be paid',
  ],
  [
    'rejected',
    { state: 'restricted', needs: [{ code: 'rejected' }] },
    'Not accepted',
    'Our payment partner does not accept your account.',
    'nothing can be paid out',
  ],
])('provider A’s account that is %s says so in words', async (_, overrides, chip, lead, text) => {
  servePayees(aPayeeAtA(overrides));
  await openPayouts();
  const account = await region('Your payout account');
  expect(within(account).getByText(chip)).toBeVisible();
  expect(within(account).getByText(text, { exact: false })).toBeVisible();
  expect(screen.getByText(lead)).toBeVisible();
  expect(within(account).queryAllByRole('button')).toHaveLength(chip === 'Needs you' ? 1 : 0);
});

test('what is missing is told by its day, and leads to the partner', async () => {
  const by = '2026-12-15T10:00:00Z';
  const served = servePayees(
    aPayeeAtA({ needs: [{ code: 'address', by }, { code: 'company_papers', by }, { code: 'details' }] }),
  );
  const { pointer } = await openPayouts();
  const rows = within(await region('Your payout account')).getAllByRole('listitem');
  expect(rows[0]).toHaveTextContent('A paper that shows where you live' + 'By 15 Dec 2026.');
  await pointer.click(within(rows[0]!).getByRole('button', { name: 'Continue' }));
  await waitFor(() => expect(leaveFor).toHaveBeenCalledWith(partner));
  expect(served.sent).toEqual([{ link: 'acct_1', account: addresses('/en') }]);
});

test('with accounts at both, each has its part, and no form is open', async () => {
  servePayees(aPayee({ banks: [aBank()] }), aPayeeAtA({ state: 'checking' }));
  await openPayouts();
  expect(within(await region('Your payout account')).getByText('Being checked')).toBeVisible();
  expect(within(await region('Your account for bank payments')).getByText('Can be paid')).toBeVisible();
  expect(screen.queryByRole('form')).toBeNull();
});

test('who comes back has the account asked about, and is led to the payouts', async () => {
  const served = servePayees(aPayeeAtA({ state: 'begun', needs: [{ code: 'person' }] }));
  const { router } = await renderAt('/en/profile/me/stripe-onboard/return/', { user: aUser() });
  await waitFor(() => expect(router.state.location.pathname).toBe('/en/profile/me/payouts/'));
  expect(router.state.location.search).toBe('?back=1');
  expect(served.sent).toEqual([{ update: 'acct_1' }]);
});

test('who comes back while the partner does not answer is led on all the same', async () => {
  servePayees(aPayeeAtA());
  server.use(
    http.post(payments('/api/users/stripe/onboard/:id/update'), () => refusal('provider_unavailable', 503)),
  );
  const { router } = await renderAt('/profile/me/stripe-onboard/return/', { user: aUser() });
  await waitFor(() => expect(router.state.location.pathname).toBe('/profile/me/payouts/'));
});

test('who comes with an old link goes on by a new one', async () => {
  const served = servePayees(aPayeeAtA({ state: 'begun' }));
  await renderAt('/sv/profile/me/stripe-onboard/refresh/', { user: aUser() });
  await waitFor(() => expect(leaveFor).toHaveBeenCalledWith(partner));
  expect(leaveFor).toHaveBeenCalledTimes(1);
  expect(screen.getByRole('link', { name: 'Fortsätt där du var' })).toHaveAttribute('href', partner);
  expect(served.sent).toEqual([{ link: 'acct_1', account: addresses('/sv') }]);
});

test('a new link that fails can be asked for again', async () => {
  servePayees(aPayeeAtA({ state: 'begun' }));
  server.use(
    http.post(payments('/api/users/stripe/onboard/:id'), () => refusal('provider_unavailable', 503), {
      once: true,
    }),
  );
  const { pointer } = await renderAt('/en/profile/me/stripe-onboard/refresh/', { user: aUser() });
  await pointer.click(await screen.findByRole('button', { name: 'Try again' }));
  await waitFor(() => expect(leaveFor).toHaveBeenCalledWith(partner));
});

test('with nothing to do, the old link leads to the payouts', async () => {
  const served = servePayees(aPayeeAtA());
  served.hasStep = false;
  const { router } = await renderAt('/en/profile/me/stripe-onboard/refresh/', { user: aUser() });
  await waitFor(() => expect(router.state.location.pathname).toBe('/en/profile/me/payouts/'));
  expect(leaveFor).not.toHaveBeenCalled();
});

test('who is not signed in is asked to before another link is made', async () => {
  const served = servePayees(aPayeeAtA());
  await renderAt('/en/profile/me/stripe-onboard/refresh/');
  expect(served.sent).toEqual([]);
  expect(await screen.findByText('Sign in to see where you are paid')).toBeVisible();
});
