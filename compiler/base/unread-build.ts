/** Of a build whose access.json can't be read: to whoever calls, asks for the status, or reads the log. */
export const UNREAD = "what this project built last can't be read by the rolecall that serves it, so nothing is called";
