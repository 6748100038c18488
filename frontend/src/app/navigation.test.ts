import { ariaCurrentOf, mainNavigation } from './navigation';

test.each([
  ['/en/campaigns/', ['page', undefined, undefined]],
  ['/en/', ['true', undefined, undefined]],
  ['/en/3/hoyry/', ['true', undefined, undefined]],
  ['/en/3/hoyry/posts/1/', ['true', undefined, undefined]],
  ['/en/3/review/', ['true', undefined, undefined]],
  ['/en/3/hoyry/edit/', [undefined, undefined, undefined]],
  ['/en/3/hoyry/overview/', [undefined, undefined, undefined]],
  ['/en/3/hoyry/posts/1/edit/', [undefined, undefined, undefined]],
  ['/en/experiments/1/hylly/', [undefined, 'true', undefined]],
  ['/en/profiles/', [undefined, undefined, 'page']],
  ['/en/profile/9/', [undefined, undefined, 'true']],
  ['/en/profile/me/', [undefined, undefined, undefined]],
  ['/en/review/', [undefined, undefined, undefined]],
  ['/en/3/hoyry/review/', [undefined, undefined, undefined]],
])('at %s the links to campaigns, experiments and people are current: %s', (pathname, expected) => {
  expect(mainNavigation.map((item) => ariaCurrentOf(item, 'en', pathname))).toEqual(expected);
});
