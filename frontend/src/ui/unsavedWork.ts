/** Whether something on the page would be lost with it: asks whoever keeps the browser from closing the page. */
export const hasUnsavedWork = (): boolean =>
  !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
