import { act, render, screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { createMemoryRouter, RouterProvider } from 'react-router-dom';
import userEvent from '@testing-library/user-event';
import { I18nextProvider } from 'react-i18next';
import { aPointer } from '../../test/pointer';
import { renderAt } from '../../test/render';
import { content, server, serveNothing } from '../../test/server';
import { loadAllTexts } from '../../test/texts';
import * as rules from '../domain/rules';

import { makeI18n } from '../i18n';
import { TextField } from './fields';
import { AppMantineProvider } from './AppMantineProvider';
import { UnsavedGuard } from './UnsavedGuard';
import { useAppForm } from './useAppForm';

// Whole pages: slow on a busy machine.
jest.setTimeout(30_000);

interface Values {
  title: string;
  place: string;
}

function Editor({ onSend }: { onSend: (changed: Partial<Values>) => void }) {
  const form = useAppForm<Values>({
    initialValues: { title: 'Sauna', place: 'Pielavesi' },
    rules: {
      title: rules.all(rules.required, (title) => (title === 'Unchosen' ? { key: 'choose' } : undefined)),
      place: (place, { title }) => (title === 'Far' ? undefined : rules.maxLength(20)(place, undefined)),
    },
    onSubmit: (_values, changed) => {
      onSend(changed);
      const faults = [
        { path: 'campaign.title', rule: 'min_length', params: { min: 12 }, message: 'x' },
        { path: 'campaign.place', rule: 'name_reserved', message: 'Not this one.' },
      ];
      form.showFieldErrors(faults);
    },
  });
  // @ts-expect-error: a name that the form does not have
  form.field('titel');
  return (
    <form {...form.formProps}>
      <UnsavedGuard isOn={form.isChanged} />
      <TextField label="Title" {...form.field('title')} />
      <TextField label="Place" {...form.field('place')} />
      <button type="submit">Save</button>
    </form>
  );
}

async function showEditor() {
  const i18n = makeI18n();
  await loadAllTexts(i18n, 'en');
  const sent: Partial<Values>[] = [];
  const page = (
    <AppMantineProvider>
      <Editor onSend={(changed) => sent.push(changed)} />
    </AppMantineProvider>
  );
  const router = createMemoryRouter([
    { path: '/', element: page },
    { path: '/away', element: <p>Away</p> },
  ]);
  render(
    <I18nextProvider i18n={i18n}>
      <RouterProvider router={router} />
    </I18nextProvider>,
  );
  return { sent, router, i18n, pointer: aPointer() };
}

const leaveTab = () => {
  const event = new Event('beforeunload', { cancelable: true });
  window.dispatchEvent(event);
  return event.defaultPrevented;
};

test('what is wrong in a field is said when it is left, what is missing only when the form is sent', async () => {
  const { pointer } = await showEditor();
  const place = screen.getByLabelText('Place');
  await pointer.fill(place, 'Pielaveden kirkonkylän ranta');
  expect(place).toBeValid();
  await pointer.tab();
  expect(place).toHaveAccessibleDescription('At most 20 characters.');
  await pointer.clear(screen.getByLabelText('Title'));
  await pointer.tab();
  expect(screen.getByLabelText('Title')).not.toHaveAccessibleDescription();
  // Of several ways none is chosen.
  await pointer.fill(screen.getByLabelText('Title'), 'Unchosen');
  await pointer.tab();
  expect(screen.getByLabelText('Title')).not.toHaveAccessibleDescription();
  await pointer.clear(screen.getByLabelText('Title'));
  // Another field puts it right.
  await pointer.fill(screen.getByLabelText('Title'), 'Far');
  await waitFor(() => expect(place).not.toHaveAccessibleDescription());
});

test('leaving a field by pressing the button is still a press', async () => {
  const { pointer, sent } = await showEditor();
  await pointer.clear(screen.getByLabelText('Title'));
  await pointer.fill(screen.getByLabelText('Title'), 'Far');
  await pointer.click(screen.getByRole('button', { name: 'Save' }));
  expect(sent).toEqual([{ title: 'Far' }]);
});

test('a form can send only the changed values', async () => {
  const { sent, pointer } = await showEditor();
  await pointer.type(screen.getByLabelText('Title'), 'lautta');
  await pointer.click(screen.getByRole('button', { name: 'Save' }));
  expect(sent).toEqual([{ title: 'Saunalautta' }]);
});

test('validation errors from the server are shown at their fields and follow a change of language', async () => {
  const { pointer, i18n } = await showEditor();
  await pointer.click(screen.getByRole('button', { name: 'Save' }));
  const title = screen.getByLabelText('Title');
  expect(title).toHaveAccessibleDescription('At least 12 characters.');
  expect(title).toHaveFocus();
  // The app has no text for this rule, so it shows the server's message.
  expect(screen.getByLabelText('Place')).toHaveAccessibleDescription('Not this one.');
  await act(() => loadAllTexts(i18n, 'sv'));
  expect(title).toHaveAccessibleDescription('Minst 12 tecken.');
});

/** A rule that no form of ours asks: what the server finds is said in the same words. */
const said =
  (key: rules.RuleKey, params?: rules.Fault['params']): rules.Rule<string> =>
  () =>
    params ? { key, params } : { key };

// A text that breaks each rule about text.
const broken: [rules.RuleKey, rules.Rule<string>, string][] = [
  ['required', rules.required, ''],
  ['email', rules.email, 'leena@posti'],
  ['minLength', rules.minLength(3), 'a'],
  ['maxLength', rules.maxLength(3), 'abcd'],
  ['regex', rules.regex(/^a$/), 'b'],
  ['minValue', rules.minValue(2), '1'],
  ['numeric', rules.numeric, '1.5'],
  ['decimal', rules.decimal(2), '1,255'],
  ...(
    ['alpha', 'alphaNum', 'alphaDash', 'alphaSpaces', 'url', 'ip', 'creditCard', 'dateFormat'] as const
  ).map((key): [rules.RuleKey, rules.Rule<string>, string] => [key, said(key), 'x']),
  ['maxValue', said('maxValue', { max: 2 }), '3'],
  ['between', said('between', { min: 1, max: 2 }), '3'],
  ['digits', said('digits', { count: 4 }), '1'],
  ['dateBetween', said('dateBetween', { first: '2026-01-01', last: '2026-01-31' }), '2026-02-01'],
  ['before', said('before', { day: '2026-01-02' }), '2026-01-02'],
  ['after', said('after', { day: '2026-01-02' }), '2026-01-02'],
];

function AllRules() {
  const form = useAppForm<Record<string, string>>({
    initialValues: Object.fromEntries(broken.map(([key, , value]) => [key, value])),
    rules: Object.fromEntries(broken.map(([key, rule]) => [key, rule])),
    onSubmit: () => undefined,
  });
  return (
    <form {...form.formProps}>
      {broken.map(([key]) => (
        <TextField key={key} label={key} {...form.field(key)} />
      ))}
      <button type="submit">Save</button>
    </form>
  );
}

test.each([
  ['fi', 'Tarkista sähköpostiosoite.'],
  ['en', 'Check the email address.'],
  ['sv', 'Kontrollera e-postadressen.'],
] as const)('a form shows the message of every rule at its field in %s', async (language, ofEmail) => {
  const i18n = makeI18n();
  await loadAllTexts(i18n, language);
  render(
    <I18nextProvider i18n={i18n}>
      <AppMantineProvider>
        <AllRules />
      </AppMantineProvider>
    </I18nextProvider>,
  );
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  for (const [key, rule, value] of broken) {
    const fault = rule(value, {});
    expect(fault?.key).toBe(key);
    expect(screen.getByLabelText(key)).toHaveAccessibleDescription(
      i18n.t(`rules.${key}`, fault?.params ?? {}),
    );
  }
  expect(screen.getByLabelText('required')).toHaveFocus();
  expect(screen.getByLabelText('email')).toHaveAccessibleDescription(ofEmail);
});

test('leaving a page asks for confirmation only while it has unsaved changes', async () => {
  const { router, pointer } = await showEditor();
  expect(leaveTab()).toBe(false);
  await pointer.type(screen.getByLabelText('Title'), '!');
  expect(leaveTab()).toBe(true);

  await act(() => router.navigate('/away'));
  let question = within(await screen.findByRole('dialog', { name: 'Leave the page?' }));
  await pointer.click(question.getByRole('button', { name: 'Stay' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(screen.getByLabelText('Title')).toHaveValue('Sauna!');

  await act(() => router.navigate('/away'));
  question = within(await screen.findByRole('dialog', { name: 'Leave the page?' }));
  await pointer.click(question.getByRole('button', { name: 'Leave' }));
  expect(await screen.findByText('Away')).toBeVisible();
  expect(leaveTab()).toBe(false);
});

test('signing up shows a validation error at its field and any other refusal at the email field', async () => {
  serveNothing();
  const faults = [{ path: 'first_name', rule: 'max_length', params: { max: 100 }, message: 'x' }];
  const answers = [{ status: 'invalid_fields', fields: faults }, { status: 'busy' }];
  server.use(
    http.post(content('/users/'), () =>
      HttpResponse.json({ message: '', request_id: 'r', ...answers.shift() }, { status: 422 }),
    ),
  );
  const { pointer } = await renderAt('/en/info/money/');
  await pointer.click(screen.getByRole('button', { name: 'Sign in' }));
  const dialog = within(await screen.findByRole('dialog'));
  const fill = async (field: HTMLElement, text: string) => {
    await pointer.click(field);
    await pointer.paste(text);
  };
  await pointer.click(dialog.getByRole('button', { name: 'Create an account' }));
  await fill(await dialog.findByLabelText('First name'), 'Leena');
  await fill(dialog.getByLabelText('Last name'), 'Hakkarainen');
  await fill(dialog.getByLabelText('Email'), 'leena@example.fi');
  await fill(dialog.getByLabelText('Password'), 'pitkä sana');
  await fill(dialog.getByLabelText(/Password again|again/i), 'pitkä sana');
  const send = () => pointer.click(dialog.getByRole('button', { name: 'Create an account' }));
  await send();
  await waitFor(() =>
    expect(dialog.getByLabelText('First name')).toHaveAccessibleDescription('At most 100 characters.'),
  );
  await send();
  await waitFor(() => expect(dialog.getByLabelText('Email')).toHaveFocus());
  expect(dialog.getByLabelText('Email')).toHaveAccessibleDescription(/busy/);
});
