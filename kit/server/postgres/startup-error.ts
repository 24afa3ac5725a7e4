/**
 * Why a command cannot start: its message is Chinese, for the person at the console, and says what to do.
 */
export class StartupError extends Error {
  override name = 'StartupError'
}

/** The last lines of a log, for the end of such a message. */
export function lastLines(text: string, lines = 6): string {
  return text.trimEnd().split('\n').slice(-lines).join('\n')
}
