import type { ThunkDispatch, UnknownAction } from '@reduxjs/toolkit';
import { useDispatch } from 'react-redux';
import type { ApiExtra } from '../../api/baseQuery';

/** The store's dispatch as features know it: without the app's state. */
export const useAppDispatch = useDispatch.withTypes<ThunkDispatch<unknown, ApiExtra, UnknownAction>>();
