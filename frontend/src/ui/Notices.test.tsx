import { screen } from '@testing-library/react';
import { renderPart } from '../../test/part';
import { FormDrawer } from './FormDrawer';
import { useNotify } from './notify';

function Page({ title = 'Tallessa' }: { title?: string }) {
  const notify = useNotify();
  const tell = () => notify({ tone: 'success', title });
  return (
    <FormDrawer
      isOpen
      onClose={() => undefined}
      label="Lomake"
      header={null}
      foot={<button onClick={tell}>Tallenna</button>}
    >
      {null}
    </FormDrawer>
  );
}

/** Shows a notice while elements that match a selector have its rectangle; returns how far notices are raised. */
async function raised(rectangles: Readonly<Record<string, DOMRect>>) {
  const { pointer } = await renderPart(<Page />);
  jest.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(function (this: Element) {
    const found = Object.entries(rectangles).find(([selector]) => this.matches(selector));
    return found ? found[1] : new DOMRect();
  });
  await pointer.click(screen.getByRole('button', { name: 'Tallenna' }));
  await screen.findByText('Tallessa');
  return document.documentElement.style.getPropertyValue('--tk-notices-raised');
}

afterEach(() => jest.restoreAllMocks());

test('a notice is shown above a bar at the bottom of the screen', async () => {
  expect(await raised({ '[data-bottom-bar]': new DOMRect(0, window.innerHeight - 72, 400, 72) })).toBe(
    '72px',
  );
});

test('a notice is shown at the bottom of the screen when no bar is there', async () => {
  expect(await raised({ '[data-bottom-bar]': new DOMRect(0, 100, 400, 72) })).toBe('0px');
});

test('a notice does not cover the button that was just pressed', async () => {
  expect(await raised({ button: new DOMRect(300, window.innerHeight - 60, 90, 44) })).toBe('60px');
});

test('on a phone a notice is at the top, where it covers neither a bar nor what one presses', async () => {
  const media = (query: string) =>
    ({
      matches: true,
      media: query,
      addEventListener: () => undefined,
      removeEventListener: () => undefined,
    }) as unknown as MediaQueryList;
  jest.spyOn(window, 'matchMedia').mockImplementation(media);
  await raised({});
  expect(screen.getByText('Tallessa').closest('[data-position]')).toHaveAttribute(
    'data-position',
    'top-center',
  );
});

test('the notices of an app are gone with it, and do not stand in the way of the next one’s', async () => {
  const first = await renderPart(<Page />);
  await first.pointer.click(screen.getByRole('button', { name: 'Tallenna' }));
  expect(await screen.findByText('Tallessa')).toBeVisible();
  first.unmount();
  const next = await renderPart(<Page title="Poissa" />);
  await next.pointer.click(screen.getByRole('button', { name: 'Tallenna' }));
  expect(await screen.findByText('Poissa')).toBeVisible();
  expect(screen.queryByText('Tallessa')).not.toBeInTheDocument();
});
