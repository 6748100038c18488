import { act, screen, waitFor } from '@testing-library/react';
import { delay, http, HttpResponse } from 'msw';
import { aUser } from '../../../test/builders';
import { renderPart } from '../../../test/part';
import { content, refusal, server } from '../../../test/server';
import { ImageUpload } from './ImageUpload';

const files = content('/campaigns/3/files/');
const picture = (type = 'image/jpeg') => new File(['…'], 'kuva.jpg', { type });

/** Replaces the browser's picture decoding, which jsdom does not have. */
function picturesAre(width: number, height: number) {
  window.createImageBitmap = () => Promise.resolve({ width, height, close: () => undefined });
  URL.createObjectURL = () => 'blob:picture';
  URL.revokeObjectURL = () => undefined;
}

async function start(more: { ratio?: number; minWidth?: number } = {}) {
  const onStored = jest.fn();
  const part = <ImageUpload of={{ campaignId: 3 }} onStored={onStored} {...more} />;
  const page = await renderPart(part, { user: aUser() });
  return { ...page, onStored, field: screen.getByLabelText('Valitse kuva') };
}

const stored = () =>
  HttpResponse.json({ file: { name: 'a1.jpg', width: 1500, height: 600 } }, { status: 201 });

test('a picture is uploaded to its campaign with the session’s token', async () => {
  picturesAre(1500, 600);
  let bearer: string | null = '';
  server.use(
    http.post(files, ({ request }) => {
      bearer = request.headers.get('Authorization');
      return stored();
    }),
  );
  const { pointer, field, onStored } = await start();
  await pointer.upload(field, picture());
  await waitFor(() => expect(onStored).toHaveBeenCalledWith({ name: 'a1.jpg', width: 1500, height: 600 }));
  expect(bearer).toBe('Bearer token');
});

test('a picture that is too small is rejected before it is uploaded', async () => {
  picturesAre(800, 320);
  const { pointer, field } = await start({ ratio: 2.5, minWidth: 1200 });
  await pointer.upload(field, picture());
  expect(await screen.findByText(/vähintään 1200 × 480 kuvapistettä/)).toBeVisible();
});

test('a failed upload says why, and the same picture can be retried', async () => {
  picturesAre(1500, 600);
  server.use(http.post(files, () => refusal('token_expired', 401)));
  const { pointer, field, onStored } = await start();
  await pointer.upload(field, picture());
  expect(await screen.findByText('Istuntosi on päättynyt. Kirjaudu uudelleen.')).toBeVisible();
  server.use(http.post(files, stored));
  await pointer.click(screen.getByRole('button', { name: 'Yritä uudelleen' }));
  await waitFor(() => expect(onStored).toHaveBeenCalledTimes(1));
});

test('a picture that the server refuses for what it is offers another one, not the same again', async () => {
  picturesAre(1500, 600);
  server.use(http.post(files, () => refusal('image_too_large', 413)));
  const { pointer, field } = await start();
  await pointer.upload(field, picture());
  expect(await screen.findByText(/Kuva on liian suuri. Enintään 25 Mt/)).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Yritä uudelleen' })).not.toBeInTheDocument();
});

test('an upload can be canceled', async () => {
  picturesAre(1500, 600);
  server.use(
    http.post(files, async () => {
      await delay('infinite');
      return stored();
    }),
  );
  const { pointer, field, onStored } = await start();
  await pointer.upload(field, picture());
  expect(await screen.findByRole('progressbar', { name: 'Kuvaa lähetetään' })).toBeVisible();
  await pointer.click(screen.getByRole('button', { name: 'Peru' }));
  expect(screen.getByLabelText('Valitse kuva')).toBeEnabled();
  expect(onStored).not.toHaveBeenCalled();
});

test('a picture of the right ratio can be used as it is, or cropped with sliders', async () => {
  picturesAre(1500, 600);
  server.use(http.post(files, stored));
  const { pointer, field, onStored } = await start({ ratio: 2.5, minWidth: 1200 });
  await pointer.upload(field, picture());
  expect(await screen.findByRole('dialog', { name: 'Rajaa kuva' })).toBeVisible();
  expect(screen.getByRole('slider', { name: 'Lähennä' })).toBeVisible();
  await pointer.click(screen.getByRole('button', { name: 'Käytä tätä' }));
  await waitFor(() => expect(onStored).toHaveBeenCalled());
});

test('the crop dialog is left by its button without using the picture', async () => {
  picturesAre(1500, 600);
  const { pointer, field, onStored } = await start({ ratio: 2.5, minWidth: 1200 });
  await pointer.upload(field, picture());
  await pointer.click(await screen.findByRole('button', { name: 'Peru' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(onStored).not.toHaveBeenCalled();
});

test('by keyboard: closing the crop dialog focuses the file button, uploading focuses the cancel button', async () => {
  picturesAre(1500, 600);
  server.use(
    http.post(files, async () => {
      await delay('infinite');
      return stored();
    }),
  );
  const { pointer, field } = await start({ ratio: 2.5, minWidth: 1200 });
  act(() => field.focus());
  await pointer.upload(field, picture());
  await screen.findByRole('dialog', { name: 'Rajaa kuva' });
  await pointer.keyboard('{Escape}');
  await waitFor(() => expect(screen.getByLabelText('Valitse kuva')).toHaveFocus());
  await pointer.upload(field, picture());
  await pointer.click(await screen.findByRole('button', { name: 'Käytä tätä' }));
  await waitFor(() => expect(screen.getByRole('button', { name: 'Peru' })).toHaveFocus());
  await pointer.keyboard('{Enter}');
  await waitFor(() => expect(screen.getByLabelText('Valitse kuva')).toHaveFocus());
});
