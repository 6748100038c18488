import type { ThunkDispatch, UnknownAction } from '@reduxjs/toolkit';
import type { ComponentType } from 'react';
import type { LoaderFunctionArgs } from 'react-router-dom';
import type { Language } from '../domain/languages';

/** What a page's loader gets. It starts requests through the store and may wait for them. */
export interface PageLoaderArgs extends Pick<LoaderFunctionArgs, 'params' | 'request'> {
  language: Language;
  dispatch: ThunkDispatch<unknown, unknown, UnknownAction>;
}

/** A page's module: the component, and what to fetch before it is shown. */
export interface PageModule {
  Component: ComponentType;
  load?: (args: PageLoaderArgs) => unknown;
}

/** Throw it from a loader: the not-found page is shown. */
export function notFound(): Response {
  return new Response(null, { status: 404 });
}

/** An id from an address. Anything but digits is no page of ours. */
export function idParam(value: string | undefined): number {
  if (!value || !/^[1-9]\d{0,14}$/.test(value)) throw notFound();
  return Number(value);
}

/** State of a navigation that stays on the page: focus and scroll are left where they are. */
export const keepFocus = { keepFocus: true } as const;

/** State of a navigation that has asked for the video: it plays where it leads. */
export const playVideo = { play: true } as const;
