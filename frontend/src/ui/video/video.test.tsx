import { act, fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { I18nextProvider } from 'react-i18next';
import { changeLanguage, makeI18n } from '../../i18n';
import { loadTexts } from '../../i18n/texts';
import { Story } from '../Story';
import { silenceTimeout } from './usePlayerMessages';
import { VideoPoster } from './VideoPoster';

async function show(element: ReactNode) {
  const i18n = makeI18n();
  await changeLanguage(i18n, 'en');
  await loadTexts(i18n, 'en', ['inner']);
  return render(<I18nextProvider i18n={i18n}>{element}</I18nextProvider>);
}

const youtube = 'https://youtu.be/dQw4w9WgXcQ';
const player = () => screen.findByTitle<HTMLIFrameElement>('Video: Höyry');

/** Sends a message as the player in the iframe. */
function sendFrom(frame: HTMLIFrameElement, data: unknown, origin = 'https://www.youtube-nocookie.com') {
  act(() => {
    window.dispatchEvent(new MessageEvent('message', { data, origin, source: frame.contentWindow }));
  });
}

test('nothing is requested from the video service before the click', async () => {
  await show(<VideoPoster url={youtube} title="Höyry" length="2 min" poster={<p>cover</p>} />);
  expect(document.querySelector('iframe')).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: /Watch the video.*2 min · opens from YouTube/ }));
  expect(await player()).toHaveAttribute(
    'src',
    'https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ?autoplay=1&rel=0&enablejsapi=1',
  );
  expect(await player()).toHaveFocus();
});

test('closing a video shows its cover again and moves the focus to the play button', async () => {
  await show(<VideoPoster url={youtube} title="Höyry" poster={<p>cover</p>} startsPlaying />);
  await userEvent.click(await screen.findByRole('button', { name: 'Close the video' }));
  expect(screen.getByText('cover')).toBeVisible();
  expect(screen.getByRole('button', { name: /Watch the video/ })).toHaveFocus();
});

test('a file that fails to play returns to its cover with a message, which the next try removes', async () => {
  await show(<VideoPoster url="/media/a.mp4" title="Höyry" poster={<p>cover</p>} />);
  await userEvent.click(screen.getByRole('button', { name: /Watch the video/ }));
  const file = await screen.findByLabelText('Video: Höyry');
  expect(file).toHaveAttribute('preload', 'auto');
  fireEvent.error(file);
  expect(screen.getByText('cover')).toBeVisible();
  expect(screen.getByRole('alert')).toHaveTextContent('The video did not open');
  await userEvent.click(screen.getByRole('button', { name: /Watch the video/ }));
  expect(screen.queryByText(/did not open/)).not.toBeInTheDocument();
});

test('a video that its platform cannot play returns to its cover with a link to the platform', async () => {
  await show(<VideoPoster url={youtube} title="Höyry" poster={<p>cover</p>} startsPlaying />);
  sendFrom(await player(), '{"event":"onReady"}');
  sendFrom(await player(), '{"event":"onError","info":150}', 'https://evil.example');
  expect(await player()).toBeInTheDocument();
  sendFrom(await player(), '{"event":"onError","info":150}');
  expect(screen.getByText('cover')).toBeVisible();
  expect(screen.getByRole('alert')).toHaveTextContent('The video did not open');
  expect(screen.getByRole('link', { name: 'Open on YouTube' })).toHaveAttribute(
    'href',
    'https://www.youtube.com/watch?v=dQw4w9WgXcQ',
  );
});

test('if the player does not load in time the page says so, until the player sends its first message', async () => {
  jest.useFakeTimers();
  try {
    await show(<VideoPoster url={youtube} title="Höyry" poster={<p>cover</p>} startsPlaying />);
    const frame = await player();
    act(() => jest.advanceTimersByTime(silenceTimeout - 1));
    expect(screen.getByRole('status')).toBeEmptyDOMElement();
    act(() => jest.advanceTimersByTime(1));
    expect(screen.getByRole('status')).toHaveTextContent('The player has not opened yet');
    expect(screen.getByRole('button', { name: 'Close the video' })).toBeVisible();
    sendFrom(frame, '{"event":"initialDelivery"}');
    expect(screen.getByRole('status')).toBeEmptyDOMElement();
  } finally {
    jest.useRealTimers();
  }
});

test('players in a story are loaded on click; audio players have their own height', async () => {
  const html =
    '<p>Ennen.</p><iframe src="https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ" class="video"></iframe>' +
    '<p>Jälkeen.</p><iframe src="https://open.spotify.com/embed/track/4uLU6hMCjMI75M1A2tKUQC" class="audio"></iframe>';
  await show(<Story html={html} title="Höyry" />);
  expect(document.querySelector('iframe')).toBeNull();
  expect(screen.getByText('Jälkeen.')).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: /Watch the video.*YouTube/ }));
  expect(await player()).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: /Listen.*Spotify/ }));
  expect(await screen.findByTitle('Sound: Höyry')).toHaveStyle({ height: '200px' });
  expect(await player()).toBeVisible();
});
