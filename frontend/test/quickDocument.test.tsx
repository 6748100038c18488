import { render, screen } from '@testing-library/react';

// The answers of test/quickDocument.cjs are those of jsdom, also after a change.

test.each(['display', 'visibility', 'opacity', 'pointerEvents', 'color'] as const)(
  'the %s of an element is that of its style, and follows it',
  (name) => {
    render(<p>Moi</p>);
    const value = {
      display: 'flex',
      visibility: 'hidden',
      opacity: '0.5',
      pointerEvents: 'none',
      color: 'red',
    };
    const said = { ...value, color: 'rgb(255, 0, 0)' };
    const text = screen.getByText('Moi');
    const before = window.getComputedStyle(text)[name];
    text.style[name] = value[name];
    expect(window.getComputedStyle(text)[name]).toBe(said[name]);
    expect(before).not.toBe(said[name]);
  },
);

test('what is hidden by an attribute, a stylesheet, its parent or its kind is hidden', () => {
  render(
    <>
      <style>{'.gone { display: none } .unseen { visibility: hidden }'}</style>
      <p hidden>attribute</p>
      <p className="gone">sheet</p>
      <div className="unseen">
        <p>parent</p>
      </div>
      <p>shown</p>
    </>,
  );
  for (const text of ['attribute', 'sheet', 'parent']) expect(screen.getByText(text)).not.toBeVisible();
  expect(screen.getByText('shown')).toBeVisible();
  const styleOf = (element: Element) => window.getComputedStyle(element);
  expect(styleOf(document.head).getPropertyValue('display')).toBe('none');
  expect(styleOf(screen.getByText('shown')).getPropertyValue('display')).toBe('block');
  expect(styleOf(screen.getByText('parent')).getPropertyValue('visibility')).toBe('hidden');
});

test('a control has the labels that name it or hold it, as they are now', () => {
  const page = (id: string) => (
    <>
      <label htmlFor={id}>by name</label>
      <label>
        by holding <input />
      </label>
      <select id="kind" />
      <input type="hidden" id="secret" />
    </>
  );
  const { rerender, container } = render(page('kind'));
  const find = (selector: string) => container.querySelector<HTMLInputElement>(selector);
  const labelsOf = (selector: string) => {
    const labels = find(selector)?.labels;
    return labels && Array.from(labels, ({ textContent }) => textContent.trim());
  };
  expect(labelsOf('select')).toEqual(['by name']);
  expect(labelsOf('label input')).toEqual(['by holding']);
  expect(labelsOf('#secret')).toBeNull();
  rerender(page('secret'));
  expect(labelsOf('select')).toEqual([]);
  expect(labelsOf('#secret')).toBeNull();
});
