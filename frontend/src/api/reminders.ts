import { generatedReminders } from './reminders.generated';

export const { useAskPaymentReminderMutation, useRefusePaymentRemindersMutation } = generatedReminders;
