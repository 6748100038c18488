import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { aUser } from '../../../../test/builders';
import { now } from '../../../../test/clock';
import { aPayee, openPayouts, partner, servePayees } from '../../../../test/payees';
import { payments, refusal, server } from '../../../../test/server';
import { signedIn } from '../../../api/session';
import { leaveFor } from '../../../ui/leaveFor';

jest.mock('../../../ui/leaveFor');

beforeEach(() => jest.mocked(leaveFor).mockReset());

type Page = Awaited<ReturnType<typeof openPayouts>>;

const createCall = payments('/api/users/mangopay/create-creator-account');
const submit = ({ pointer }: Page) =>
  pointer.click(within(formB()).getByRole('button', { name: 'Continue to the partner' }));
const formB = () => screen.getByRole('form', { name: 'Who is paid from bank accounts?' });

async function openForm() {
  const page = await openPayouts();
  await page.pointer.click(await screen.findByRole('button', { name: 'Open an account for bank payments' }));
  await screen.findByRole('heading', { name: 'Who is paid from bank accounts?', level: 2 });
  return page;
}

async function fillPerson({ pointer }: Page) {
  fireEvent.change(screen.getByLabelText('Date of birth'), { target: { value: '1980-05-17' } });
  await pointer.click(screen.getByRole('checkbox', { name: 'I accept the payment provider’s terms' }));
}

test('who is not signed in is asked to sign in, and nothing is read', async () => {
  await openPayouts('', {});
  expect(await screen.findByText('Sign in to see where you are paid')).toBeVisible();
});

test('a person is ordered with the name of the profile, and goes on at the partner’s page', async () => {
  const served = servePayees();
  const page = await openForm();
  await fillPerson(page);
  await page.pointer.selectOptions(screen.getByLabelText('Nationality'), 'SE');
  await submit(page);
  await waitFor(() => expect(leaveFor).toHaveBeenCalledWith(partner));
  expect(served.sent).toEqual([
    {
      type: 'natural',
      userId: 7,
      owner: {
        first_name: 'Leena',
        last_name: 'Hakkarainen',
        birthdate: '1980-05-17',
        nationality: 'SE',
        residence_country: 'FI',
        terms_accepted: true,
        return_url: 'http://localhost:8080/en/profile/me/payouts/?back=1',
      },
    },
  ]);
});

test('a company is ordered as a business with its number, an association as an organization without one', async () => {
  const served = servePayees();
  const page = await openForm();
  const { pointer } = page;
  await pointer.click(within(formB()).getByRole('radio', { name: 'A company' }));
  await pointer.fill(screen.getByLabelText('Registered name'), 'Nuotit');
  await pointer.fill(screen.getByLabelText('Company number'), '1234567-8');
  await pointer.fill(screen.getByLabelText('Street address'), 'Rantatie 1');
  await pointer.fill(screen.getByLabelText('Postcode'), '99870');
  await pointer.fill(screen.getByLabelText('Town'), 'Inari');
  await fillPerson(page);
  await submit(page);
  await waitFor(() => expect(served.sent).toHaveLength(1));
  const entity = {
    legal_name: 'Nuotit',
    headquarters: { AddressLine1: 'Rantatie 1', PostalCode: '99870', City: 'Inari', Country: 'FI' },
  };
  expect(served.sent[0]).toMatchObject({
    type: 'legal',
    owner: { ...entity, legal_type: 'BUSINESS', company_number: '1234567-8' },
  });

  await pointer.click(within(formB()).getByRole('radio', { name: 'An association or cooperative' }));
  expect(screen.queryByLabelText('Company number')).toBeNull();
  await submit(page);
  await waitFor(() => expect(served.sent).toHaveLength(2));
  expect(served.sent[1]).toMatchObject({ type: 'legal', owner: { ...entity, legal_type: 'ORGANIZATION' } });
  expect(served.sent[1]).not.toHaveProperty('owner.company_number');
});

test('what is missing is said at its field before anything is sent', async () => {
  const served = servePayees();
  const page = await openForm();
  await submit(page);
  expect(await screen.findAllByText('This is needed.')).toHaveLength(2);
  expect(screen.getByLabelText('Date of birth')).toHaveFocus();
  expect(screen.getByRole('group', { name: 'Terms' })).toHaveAccessibleDescription('This is needed.');
  expect(served.sent).toEqual([]);
});

test('what the server finds in a field is said at that field, and what is typed stays', async () => {
  servePayees();
  const message = 'The owner of the account has to be at least 18.';
  server.use(
    http.post(createCall, () =>
      refusal('invalid_fields', 422, { fields: [{ path: 'owner.birthdate', rule: 'adult', message }] }),
    ),
  );
  const page = await openForm();
  await fillPerson(page);
  await submit(page);
  expect(await screen.findByText(message)).toBeVisible();
  expect(screen.getByLabelText('Date of birth')).toHaveAccessibleDescription(message);
  expect(screen.getByLabelText('Date of birth')).toHaveFocus();
  expect(screen.getByLabelText('Date of birth')).toHaveValue('1980-05-17');
  expect(leaveFor).not.toHaveBeenCalled();
});

test('a refusal without a field is said above the button', async () => {
  servePayees();
  server.use(http.post(createCall, () => refusal('payee_refused', 422)));
  const page = await openForm();
  await fillPerson(page);
  await submit(page);
  expect(await screen.findByRole('alert')).toHaveTextContent('did not accept these details');
  expect(screen.getByLabelText('Date of birth')).toHaveValue('1980-05-17');
});

test('what is typed stays while the session has ended, and goes out after signing in again', async () => {
  const served = servePayees();
  server.use(http.post(createCall, () => refusal('token_expired', 401), { once: true }));
  const page = await openForm();
  await fillPerson(page);
  await submit(page);
  await screen.findByRole('dialog');
  expect(screen.getByLabelText('Date of birth')).toHaveValue('1980-05-17');
  await page.pointer.click(screen.getByRole('button', { name: 'Close' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  const token = { string: 'next', timestamp: now };
  act(() => void page.store.dispatch(signedIn({ token, user: aUser() })));
  await waitFor(() => expect(served.reads).toBe(2));
  expect(screen.getByLabelText('Date of birth')).toHaveValue('1980-05-17');
  await submit(page);
  await waitFor(() => expect(served.sent).toHaveLength(1));
});

test('an account for which nothing is to be done at the partner is shown at once', async () => {
  const served = servePayees();
  server.use(
    http.post(createCall, () => {
      served.payees = [aPayee()];
      return HttpResponse.json({ userId: 'user_m_1', walletId: 'wlt_m_1', payee: aPayee() });
    }),
  );
  const page = await openForm();
  await fillPerson(page);
  await submit(page);
  expect(await screen.findByText('Can be paid')).toBeVisible();
  expect(screen.queryByRole('heading', { name: 'Who is paid from bank accounts?' })).toBeNull();
  expect(leaveFor).not.toHaveBeenCalled();
});
