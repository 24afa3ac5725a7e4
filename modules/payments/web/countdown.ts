const padTwo = (n: number): string => String(n).padStart(2, '0')

/** Milliseconds as `mm:ss`; never below zero. */
export function formatCountdown(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  return `${padTwo(Math.floor(seconds / 60))}:${padTwo(seconds % 60)}`
}
