import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { MemoryRouter } from 'react-router-dom';
import { useScrollToHash } from './useScrollToHash';

function Page() {
  useScrollToHash();
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

test('the element that the hash names is scrolled to once it is rendered, until the user interacts', async () => {
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
  // fireEvent.click fires no pointerdown, which would count as an interaction.
  fireEvent.click(screen.getByRole('button'));
  await waitFor(() => expect(shown).toContain('account'));
  fireEvent.wheel(window);
  const before = [...shown];
  document.body.append(document.createElement('p'));
  await Promise.resolve();
  expect(shown).toEqual(before);
});
