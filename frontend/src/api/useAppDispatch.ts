import type { ThunkDispatch, UnknownAction } from '@reduxjs/toolkit';
import { useDispatch } from 'react-redux';
import type { ApiExtra } from './baseQuery';
import type { State } from './reducer';

/** A dispatch that also takes this store's thunks. */
export type AppDispatch = ThunkDispatch<State, ApiExtra, UnknownAction>;

/** The store's dispatch, for thunks too. */
export const useAppDispatch = useDispatch.withTypes<AppDispatch>();
