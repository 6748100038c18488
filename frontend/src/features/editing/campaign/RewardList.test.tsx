import { screen, waitFor, within } from '@testing-library/react';
import { aUser } from '../../../../test/builders';
import { aCampaignAdmin, serveEditing } from '../../../../test/campaignAdmin';
import { installEditor } from '../../../../test/editor';
import { renderAt } from '../../../../test/render';
import { serveNewRewards } from '../../../../test/rewards';

// The form has about a hundred controls, and queries by role are slow in jsdom.
jest.setTimeout(60_000);
installEditor();
beforeAll(() => {
  Element.prototype.scrollIntoView = () => undefined;
});

/** The edit page of a campaign in a stage, with the drawer of a new reward open. */
async function begin(stage = 0) {
  serveEditing(aCampaignAdmin({ stage }));
  const state = serveNewRewards();
  return { state, ...(await add()) };
}

async function add() {
  const page = await renderAt('/3/hoyry/edit/', { user: aUser() });
  await page.pointer.click(await screen.findByRole('button', { name: 'Lisää vastike' }));
  await screen.findByLabelText('Nimi: Suomi');
  return page;
}

const drawer = () => within(screen.getByRole('dialog', { name: 'Vastikkeen muokkaus' }));
const press = (name: string) => drawer().getByRole('button', { name });
const closed = () =>
  waitFor(() =>
    expect(screen.queryByRole('dialog', { name: 'Vastikkeen muokkaus' })).not.toBeInTheDocument(),
  );
const list = () => within(screen.getByRole('region', { name: 'Vastikkeet' }));

test('a new reward that is closed without typing leaves nothing behind', async () => {
  const { state, pointer } = await begin();
  expect(drawer().getByText('Ei vielä tallennettu')).toBeVisible();
  await pointer.click(press('Sulje'));
  await closed();
  expect(state.keys).toEqual([]);
  expect(list().queryByRole('listitem')).not.toBeInTheDocument();
});

test('the first save creates the reward; in a campaign that has not opened it is visible at once', async () => {
  const { state, pointer } = await begin();
  await pointer.type(drawer().getByLabelText('Nimi: Suomi'), 'Pesä');
  await pointer.click(press('Tallenna vastike'));
  await waitFor(() => expect(drawer().getByLabelText('Hinta')).toHaveFocus());
  expect(state.keys).toEqual([]);
  await pointer.type(drawer().getByLabelText('Hinta'), '30');
  await pointer.click(press('Tallenna vastike'));
  expect(await drawer().findByText('Kaikki on tallessa')).toBeVisible();
  expect(drawer().getByText('Näkyy sivulla')).toBeVisible();
  expect([...state.rewards.values()]).toMatchObject([
    { amount: 30, active: 1, texts: { fi: { title: 'Pesä' } } },
  ]);
  await pointer.type(drawer().getByLabelText('Nimi: Suomi'), '!');
  await pointer.click(press('Tallenna vastike'));
  await waitFor(() => expect(state.rewards.get(40)?.texts.fi?.title).toBe('Pesä!'));
  expect(state.rewards.size).toBe(1);
});

test('in an open campaign a new reward is hidden until somebody shows it, and the drawer says so', async () => {
  const { state, pointer } = await begin(2);
  expect(drawer().getByText('Kampanja on auki: vastike näkyy sivulla vasta, kun sanot niin')).toBeVisible();
  await pointer.click(press('Tallenna vastike'));
  await waitFor(() => expect(drawer().getByLabelText('Nimi: Suomi')).toHaveFocus());
  expect(state.keys).toEqual([]);
  await pointer.type(drawer().getByLabelText('Nimi: Suomi'), 'Pesä');
  await pointer.click(press('Tallenna vastike'));
  expect(await drawer().findByText('Kaikki on tallessa, mutta vastike ei näy sivulla')).toBeVisible();
  await pointer.click(press('Näytä sivulla'));
  await waitFor(() => expect(drawer().getByLabelText('Hinta')).toHaveFocus());
  await pointer.type(drawer().getByLabelText('Hinta'), '30');
  await pointer.click(press('Tallenna vastike'));
  expect(await drawer().findByText('Kaikki on tallessa')).toBeVisible();
  expect(state.rewards.get(40)).toMatchObject({ amount: 30, active: 1 });
});

test('the list marks a hidden reward and has a button that shows it', async () => {
  const { state, pointer } = await begin(2);
  await pointer.type(drawer().getByLabelText('Nimi: Suomi'), 'Pesä');
  await pointer.type(drawer().getByLabelText('Hinta'), '30');
  await pointer.click(press('Tallenna vastike'));
  await drawer().findByText(/ei näy sivulla$/);
  await pointer.click(press('Sulje'));
  await closed();
  expect(await list().findByText('Ei näy sivulla')).toBeVisible();
  await pointer.click(list().getByRole('button', { name: 'Näytä sivulla : Pesä' }));
  await waitFor(() => expect(list().queryByText('Ei näy sivulla')).not.toBeInTheDocument());
  expect(state.rewards.get(40)?.active).toBe(1);
});

test('an unsaved new reward is kept on the device, and can be reopened from the list', async () => {
  const { state, pointer, unmount } = await begin();
  await pointer.type(drawer().getByLabelText('Nimi: Suomi'), 'Pesä');
  await pointer.click(press('Sulje'));
  await pointer.click(await screen.findByRole('button', { name: 'Poistu' }));
  await closed();
  expect(list().getByRole('heading', { name: 'Pesä' })).toBeVisible();
  expect(list().getByText('Ei vielä tallennettu')).toBeVisible();
  unmount();
  const again = await renderAt('/3/hoyry/edit/', { user: aUser() });
  await again.pointer.click(await screen.findByRole('button', { name: 'Jatka kirjoittamista' }));
  expect(await screen.findByLabelText('Nimi: Suomi')).toHaveValue('Pesä');
  await again.pointer.click(press('Hylkää'));
  await again.pointer.click(press('Sulje'));
  await closed();
  expect(list().queryByRole('listitem')).not.toBeInTheDocument();
  expect(state.keys).toEqual([]);
});

test('after a lost response no second reward is created, not even after a reload', async () => {
  const { state, pointer, unmount } = await begin();
  state.lost = 1;
  await pointer.type(drawer().getByLabelText('Nimi: Suomi'), 'Pesä');
  await pointer.type(drawer().getByLabelText('Hinta'), '30');
  await pointer.click(press('Tallenna vastike'));
  await waitFor(() => expect(state.keys).toHaveLength(1));
  unmount();
  const again = await add();
  expect(drawer().getByLabelText('Nimi: Suomi')).toHaveValue('Pesä');
  await again.pointer.click(press('Tallenna vastike'));
  expect(await drawer().findByText('Kaikki on tallessa')).toBeVisible();
  expect(state.keys).toHaveLength(2);
  expect([...state.rewards.values()]).toMatchObject([{ amount: 30, texts: { fi: { title: 'Pesä' } } }]);
});

test('if saving a new reward’s texts fails, the next save continues with it instead of creating another', async () => {
  const { state, pointer } = await begin();
  state.refuse = 503;
  await pointer.type(drawer().getByLabelText('Nimi: Suomi'), 'Pesä');
  await pointer.type(drawer().getByLabelText('Hinta'), '30');
  await pointer.click(press('Tallenna vastike'));
  await waitFor(() => expect(state.rewards.size).toBe(1));
  expect(await drawer().findByText('Ei näy sivulla')).toBeVisible();
  state.refuse = 0;
  await pointer.click(press('Tallenna vastike'));
  expect(await drawer().findByText('Kaikki on tallessa')).toBeVisible();
  expect(state.keys).toHaveLength(1);
  expect(state.rewards.get(40)).toMatchObject({ amount: 30, active: 1 });
});
