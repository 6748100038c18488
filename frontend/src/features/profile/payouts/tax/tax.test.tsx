import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { aPayeeAtA, openPayouts, servePayees } from '../../../../../test/payees';
import { content, payments, refusal, server } from '../../../../../test/server';
import type { TaxDataValues, TaxStanding } from '../../../../api/taxData';
import { isRegisterNumber, isTaxNumber, isVatNumber } from './taxNumbers';

const own = payments('/api/users/me/tax-data');

const asked: TaxStanding = {
  is_asked: true,
  version: 0,
  missing: ['name', 'birth_date', 'address', 'tin'],
  by: '2027-02-05T10:00:00Z',
  is_held: false,
};

const given: TaxStanding = {
  is_asked: true,
  version: 1,
  missing: [],
  is_held: false,
  given: {
    kind: 'person',
    name: 'Leena Hakkarainen',
    country: 'FI',
    tin: { issued_by: 'FI', end: '08T' },
    given_at: '2026-11-20T10:00:00Z',
  },
};

const values: TaxDataValues = {
  version: 1,
  kind: 'person',
  first_name: 'Leena',
  last_name: 'Hakkarainen',
  birth_date: '1952-10-13',
  address: { street: 'Rantatie 1', postal_code: '99870', city: 'Inari', country: 'FI' },
  tin: { issued_by: 'FI', end: '08T' },
};

/** The payment service's side: how it stands, and what was sent. */
function serveTax(first: TaxStanding) {
  const state = { standing: first, sent: [] as unknown[] };
  servePayees(aPayeeAtA());
  server.use(
    http.get(own, () => HttpResponse.json(state.standing)),
    http.put(own, async ({ request }) => {
      state.sent.push(await request.json());
      state.standing = { ...given, version: state.standing.version + 1 };
      return HttpResponse.json(state.standing);
    }),
    http.get(payments('/api/users/me/tax-data/values'), () => HttpResponse.json(values)),
    http.get(payments('/api/users/me/tax-reports'), () => HttpResponse.json({ years: [] })),
  );
  return state;
}

const section = () => screen.findByRole('region', { name: 'Details for the tax office' });

const type = (label: string, value: string) =>
  fireEvent.change(screen.getByLabelText(label, { exact: false }), { target: { value } });

const leave = (label: string) => fireEvent.blur(screen.getByLabelText(label, { exact: false }));

test('who is asked is told what is missing and by when, and sends what was typed', async () => {
  const state = serveTax(asked);
  const { pointer } = await openPayouts();
  const part = await section();
  expect(part).toHaveTextContent('Still missing: name, birth date, address, and tax number.');
  expect(part).toHaveTextContent('Give them before 5 Feb 2027.');
  await pointer.click(within(part).getByRole('button', { name: 'Give the details' }));
  type('Date of birth', '1952-10-13');
  type('Street', 'Rantatie 1');
  type('Postcode', '99870');
  type('Town', 'Inari');
  type('Henkilötunnus', ' 131052–308t ');
  await pointer.click(screen.getByRole('button', { name: 'Save the details' }));
  await waitFor(() => expect(state.sent).toHaveLength(1));
  expect(state.sent[0]).toMatchObject({
    version: 0,
    kind: 'person',
    birth_date: '1952-10-13',
    tin: { issued_by: 'FI', number: '131052–308t' },
  });
  expect(await within(part).findByText(/ends in 08T/)).toBeVisible();
  expect(within(part).getByText('The details are saved.')).toBeVisible();
  expect(screen.queryByText(/131052/)).toBeNull();
});

test('a wrong sign is said when the field is left, and what is missing when it is sent', async () => {
  const state = serveTax(asked);
  const { pointer } = await openPayouts();
  await pointer.click(await screen.findByRole('button', { name: 'Give the details' }));
  type('Henkilötunnus', '131052-308U');
  leave('Henkilötunnus');
  expect(screen.getByLabelText('Henkilötunnus')).toHaveAccessibleDescription(/A character is wrong/);
  type('VAT number', 'FI01120388');
  leave('VAT number');
  expect(screen.getByLabelText('VAT number', { exact: false })).toHaveAccessibleDescription(/Check the VAT/);
  await pointer.click(screen.getByRole('button', { name: 'Save the details' }));
  expect(screen.getByLabelText('Street', { exact: false })).toHaveAccessibleDescription(/This is needed/);
  expect(state.sent).toEqual([]);
});

test('the server’s word stands at its field, and what was typed stays', async () => {
  serveTax(asked);
  server.use(
    http.put(own, () =>
      refusal('invalid_fields', 422, {
        fields: [{ path: 'tin.number', rule: 'tax_number_birth', message: 'in another language' }],
      }),
    ),
  );
  const { pointer } = await openPayouts();
  await pointer.click(await screen.findByRole('button', { name: 'Give the details' }));
  type('Date of birth', '1952-10-14');
  type('Street', 'Rantatie 1');
  type('Postcode', '99870');
  type('Town', 'Inari');
  type('Henkilötunnus', '131052-308T');
  await pointer.click(screen.getByRole('button', { name: 'Save the details' }));
  await waitFor(() =>
    expect(screen.getByLabelText('Henkilötunnus')).toHaveAccessibleDescription(/do not match/),
  );
  expect(screen.getByLabelText('Henkilötunnus')).toHaveValue('131052-308T');
});

test('what was given is shown by its end; to change it one shows that it is them, and the number stays', async () => {
  const state = serveTax(given);
  server.use(
    http.get(payments('/api/users/me/tax-data/values'), () => refusal('confirmation_required', 403), {
      once: true,
    }),
    http.get(content('/users/me/security/'), () =>
      HttpResponse.json({ has_password: true, email_confirmed: true, passkeys: [], backup_codes_left: 0 }),
    ),
    http.post(content('/users/me/confirmations/'), () => new HttpResponse(null, { status: 204 })),
  );
  const { pointer } = await openPayouts();
  const part = await section();
  expect(part).toHaveTextContent('Tax number: Finland, ends in 08T');
  await pointer.click(within(part).getByRole('button', { name: 'Change the details' }));
  await pointer.fill(await screen.findByLabelText('Password'), 'seven grey stones{Enter}');
  expect(await screen.findByLabelText('Town')).toHaveValue('Inari');
  expect(screen.getByLabelText('Henkilötunnus')).toHaveValue('');
  expect(screen.getByLabelText('Henkilötunnus')).toHaveAccessibleDescription(/ends in 08T/);
  type('Town', 'Ivalo');
  await pointer.click(screen.getByRole('button', { name: 'Save the details' }));
  await waitFor(() => expect(state.sent).toHaveLength(1));
  expect(state.sent[0]).toMatchObject({ version: 1, tin: { issued_by: 'FI' }, address: { city: 'Ivalo' } });
  expect(JSON.stringify(state.sent)).not.toContain('"number"');
});

test('what was saved elsewhere meanwhile is not written over by the same press', async () => {
  const state = serveTax(given);
  server.use(
    http.put(
      own,
      () => {
        state.standing = { ...given, version: 7 };
        return refusal('changed_meanwhile', 412);
      },
      { once: true },
    ),
  );
  const { pointer } = await openPayouts();
  await pointer.click(await screen.findByRole('button', { name: 'Change the details' }));
  await screen.findByLabelText('Town');
  type('Town', 'Ivalo');
  await pointer.click(screen.getByRole('button', { name: 'Save the details' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('saved elsewhere meanwhile');
  expect(screen.getByLabelText('Town')).toHaveValue('Ivalo');
  await pointer.click(screen.getByRole('button', { name: 'Save the details' }));
  await waitFor(() => expect(state.sent).toHaveLength(1));
  expect(state.sent[0]).toMatchObject({ version: 7 });
});

test('while payouts wait that is said, and what is reported is a table by quarter', async () => {
  serveTax({ ...asked, is_held: true });
  const quarter = { consideration_minor: 0, fee_minor: 0, activities: 0 };
  server.use(
    http.get(payments('/api/users/me/tax-reports'), () =>
      HttpResponse.json({
        years: [
          {
            year: 2026,
            currency: 'EUR',
            quarters: [
              quarter,
              quarter,
              { consideration_minor: 9500, fee_minor: 500, activities: 1 },
              { consideration_minor: 4750, fee_minor: 250, activities: 2 },
            ],
          },
        ],
      }),
    ),
  );
  await openPayouts();
  const part = await section();
  expect(await screen.findByText('Payouts wait for your details for the tax office.')).toBeVisible();
  expect(screen.queryByText('You can be paid.')).toBeNull();
  expect(part).toHaveTextContent('Payouts to you wait because of this.');
  const table = await screen.findByRole('table', { name: '2026' });
  expect(within(table).getByRole('row', { name: /^3/ })).toHaveTextContent('€95.00');
  expect(within(table).getByRole('row', { name: /In the year/ })).toHaveTextContent('€142.50');
});

test('who is not asked sees nothing of it', async () => {
  serveTax({ ...asked, is_asked: false, missing: [] });
  await openPayouts();
  await screen.findByRole('region', { name: 'Your payout account' });
  expect(screen.queryByRole('region', { name: 'Details for the tax office' })).toBeNull();
});

test('numbers are read as people have them', () => {
  for (const typed of ['131052-308T', ' 131052–308t\u200b', '131052Y308T', '１３１０５２−３０８Ｔ'])
    expect([typed, isTaxNumber('FI', true, typed)]).toEqual([typed, true]);
  for (const typed of ['131052-308U', '131052308T', '0112038-9'])
    expect([typed, isTaxNumber('FI', true, typed)]).toEqual([typed, false]);
  expect(isTaxNumber('FI', false, '112038-9')).toBe(true);
  expect(isTaxNumber('SE', true, '811218-9876')).toBe(true);
  expect(isTaxNumber('SE', false, '16556012-5790')).toBe(true);
  expect(isTaxNumber('SE', false, '556012-5791')).toBe(false);
  expect(isTaxNumber('DE', true, '12 345 678 901')).toBe(true);
  expect(isTaxNumber('SE', false, '802002-8711')).toBe(true); // an ideell förening
  for (const typed of ['123.456', '123 456', '1.234', '99'])
    expect([typed, isRegisterNumber(typed)]).toEqual([typed, true]);
  for (const typed of ['0112038-9', '112038-9', '000', '12a', ''])
    expect([typed, isRegisterNumber(typed)]).toEqual([typed, false]);
  expect(isVatNumber('fi 0112038-9')).toBe(true);
  expect(isVatNumber('SE556012579101')).toBe(false);
  expect(isVatNumber('12345678')).toBe(false);
});

test('a postcode is needed where the country has them', async () => {
  const state = serveTax(asked);
  const { pointer } = await openPayouts();
  await pointer.click(await screen.findByRole('button', { name: 'Give the details' }));
  await pointer.click(screen.getByRole('button', { name: 'Save the details' }));
  expect(screen.getByLabelText('Postcode')).toHaveAccessibleDescription(/This is needed/);
  expect(state.sent).toEqual([]);
});

test('what cannot be read says which details these are', async () => {
  servePayees(aPayeeAtA());
  server.use(http.get(own, () => refusal('unavailable', 503)));
  await openPayouts();
  expect(within(await section()).getByRole('button', { name: 'Try again' })).toBeVisible();
});

test('an association gives its register number, and says that it has no other', async () => {
  const state = serveTax(asked);
  const { pointer } = await openPayouts();
  await pointer.click(await screen.findByRole('button', { name: 'Give the details' }));
  await pointer.click(await screen.findByRole('radio', { name: 'A business or association' }));
  type('Name in the register', 'Inarin kyläyhdistys ry');
  type('Street address', 'Rantatie 1');
  type('Postcode', '99870');
  type('Town', 'Inari');
  type('Registration number', '0112038-9');
  expect(screen.queryByRole('checkbox', { name: /has no Y-tunnus/ })).toBeNull();
  type('Registration number', '123.456');
  await pointer.click(screen.getByRole('button', { name: 'Save the details' }));
  await waitFor(() => expect(screen.getByLabelText('Y-tunnus')).toHaveAccessibleDescription(/needed/i));
  await pointer.click(screen.getByRole('checkbox', { name: /has no Y-tunnus/ }));
  expect(screen.queryByLabelText('Y-tunnus')).toBeNull();
  await pointer.click(screen.getByRole('button', { name: 'Save the details' }));
  await waitFor(() => expect(state.sent).toHaveLength(1));
  expect(state.sent[0]).toMatchObject({ kind: 'business', registration_number: '123.456' });
  expect(state.sent[0]).not.toHaveProperty('tin');
  expect(state.sent[0]).not.toHaveProperty('birth_place');
});
