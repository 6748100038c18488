// Parts of msw that it runs for every handler of every request, and that no test asks for: cookies, and the line that
// declared a handler.
exports.getAllRequestCookies = () => ({});
exports.cookieStore = { getCookies: () => [], setCookie: () => undefined };
exports.getCallFrame = () => undefined;
