import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { MemoryRouter } from 'react-router-dom';
import { useGoToHash } from './useGoToHash';

function Page() {
  useGoToHash();
  const [isLoaded, setLoaded] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setLoaded(true)}>
        load
      </button>
      {isLoaded && <section id="account">Maksutili</section>}
    </>
  );
}

test('the part that the address names is led to when it comes, until the reader goes on', async () => {
  const shown: string[] = [];
  HTMLElement.prototype.scrollIntoView = function (this: Element) {
    shown.push(this.id);
  };
  render(
    <MemoryRouter initialEntries={['/3/hoyry/edit/#account']}>
      <Page />
    </MemoryRouter>,
  );
  expect(shown).toEqual([]);
  // Not by a press, which would be the reader going on.
  fireEvent.click(screen.getByRole('button'));
  await waitFor(() => expect(shown).toContain('account'));
  fireEvent.wheel(window);
  const before = [...shown];
  document.body.append(document.createElement('p'));
  await Promise.resolve();
  expect(shown).toEqual(before);
});
