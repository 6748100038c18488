import type { ThunkDispatch, UnknownAction } from '@reduxjs/toolkit';
import type { ComponentType } from 'react';
import type { LoaderFunctionArgs } from 'react-router-dom';
import type { Language } from '../domain/languages';

/** The arguments of a page's loader, which dispatches its first requests and may await them. */
export interface PageLoaderArgs extends Pick<LoaderFunctionArgs, 'params' | 'request'> {
  language: Language;
  dispatch: ThunkDispatch<unknown, unknown, UnknownAction>;
}

/** A page's module: the component, and what to fetch before it is shown. */
export interface PageModule {
  Component: ComponentType;
  /** Throws notFound() for the not-found page. */
  load?: (args: PageLoaderArgs) => unknown;
}

/** Returns what a loader throws to show the not-found page. */
export function notFound(): Response {
  return new Response(null, { status: 404 });
}

/** Parses an id from the path, a positive integer. Throws notFound() for anything else. */
export function idParam(value: string | undefined): number {
  if (!value || !/^[1-9]\d{0,14}$/.test(value)) throw notFound();
  return Number(value);
}

/** Navigation state for a change within the page: focus and scroll position stay. */
export const keepFocus = { keepFocus: true } as const;

/** Navigation state of a "watch the video" link: the video plays on arrival. */
export const playVideo = { play: true } as const;
