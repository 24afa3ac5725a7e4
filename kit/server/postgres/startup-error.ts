/**
 * What stands in the way of starting: its message is Chinese, for the person at the console, and says what to
 * do.
 */
export class StartupError extends Error {
  override name = 'Obstacle'
}

/** The last lines of a log, for the end of an obstacle's message. */
export function lastLines(text: string, lines = 6): string {
  return text.trimEnd().split('\n').slice(-lines).join('\n')
}
