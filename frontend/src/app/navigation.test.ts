import { ariaCurrentOf, mainNavigation, reviewNavigation } from './navigation';

test.each([
  ['/en/campaigns/', ['page', undefined, undefined, undefined]],
  ['/en/', ['true', undefined, undefined, undefined]],
  ['/en/3/hoyry/', ['true', undefined, undefined, undefined]],
  ['/en/3/hoyry/posts/1/', ['true', undefined, undefined, undefined]],
  ['/en/3/review/', ['true', undefined, undefined, undefined]],
  ['/en/3/hoyry/edit/', [undefined, undefined, undefined, undefined]],
  ['/en/3/hoyry/overview/', [undefined, undefined, undefined, undefined]],
  ['/en/3/hoyry/posts/1/edit/', [undefined, undefined, undefined, undefined]],
  ['/en/experiments/1/hylly/', [undefined, 'true', undefined, undefined]],
  ['/en/profiles/', [undefined, undefined, 'page', undefined]],
  ['/en/profile/9/', [undefined, undefined, 'true', undefined]],
  ['/en/profile/me/', [undefined, undefined, undefined, undefined]],
  ['/en/review/', [undefined, undefined, undefined, 'page']],
  ['/en/3/hoyry/review/', [undefined, undefined, undefined, 'true']],
])('at %s the links to campaigns, experiments, people and reviews are current: %s', (pathname, expected) => {
  const items = [...mainNavigation, reviewNavigation];
  expect(items.map((item) => ariaCurrentOf(item, 'en', pathname))).toEqual(expected);
});
