import { act, screen } from '@testing-library/react';
import { renderPart } from '../../test/part';
import { FormDrawer } from './FormDrawer';
import { useNotify, type Notify } from './notify';

let notify: Notify;
function Page() {
  notify = useNotify();
  return (
    <FormDrawer
      isOpen
      onClose={() => undefined}
      label="Lomake"
      header={null}
      foot={<button>Tallenna</button>}
    >
      {null}
    </FormDrawer>
  );
}

/** The page's elements stand where this says, by their attribute; all others nowhere. */
function place(rectangles: Readonly<Record<string, DOMRect>>) {
  jest.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(function (this: Element) {
    const found = Object.keys(rectangles).find((selector) => this.matches(selector));
    return found === undefined ? new DOMRect() : (rectangles[found] ?? new DOMRect());
  });
}

/** How far a notice is raised, in pixels. */
async function raised() {
  await renderPart(<Page />);
  act(() => notify({ tone: 'success', title: 'Tallessa' }));
  await screen.findByText('Tallessa');
  return document.querySelector<HTMLElement>('[data-position^=bottom]')?.style.getPropertyValue('--raised');
}

test('a notice stands above the bar at the bottom of the screen', async () => {
  place({ '[data-foot]': new DOMRect(0, window.innerHeight - 72, 400, 72) });
  expect(await raised()).toBe('72px');
});

test('a notice stands at the bottom when nothing is there', async () => {
  place({ '[data-foot]': new DOMRect(0, 100, 400, 72) });
  expect(await raised()).toBe('0px');
});

test('a notice does not cover the button that was just pressed', async () => {
  place({ button: new DOMRect(300, window.innerHeight - 60, 90, 44) });
  await renderPart(<Page />);
  act(() => screen.getByRole('button', { name: 'Tallenna' }).focus());
  act(() => notify({ tone: 'success', title: 'Tallessa' }));
  await screen.findByText('Tallessa');
  expect(
    document.querySelector<HTMLElement>('[data-position^=bottom]')?.style.getPropertyValue('--raised'),
  ).toBe('60px');
});
